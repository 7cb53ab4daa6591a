"""The tables of `names`: see there how they are written."""

PROBLEMS = """
hypertension | htn | high blood pressure
hypotension | low blood pressure
hyperlipidemia | hld | dyslipidemia | high cholesterol | hypercholesterolemia
diabetes | t2dm | t1dm | dm2 | dm1 | ^DM | type 2 diabetes | type 1 diabetes | type ii diabetes
| diabetes mellitus | type 2 diabetes mellitus | type 1 diabetes mellitus | diabetes type 2 | niddm
| iddm
prediabetes | pre diabetes
heart failure | chf | hf | hfref | hfpef | adhf | congestive heart failure | cardiac failure
| decompensated heart failure | acute decompensated heart failure
coronary artery disease | cad | coronary disease | ischemic heart disease
myocardial infarction | ^MI | heart attack | nstemi | stemi
acute coronary syndrome | ^ACS
atrial fibrillation | afib | a fib | ^AF | ^pAF | ^PAF | paroxysmal atrial fibrillation
| paroxysmal af | auricular fibrillation
atrial flutter | aflutter
supraventricular tachycardia | svt
ventricular tachycardia | vtach
aortic stenosis
mitral regurgitation | ^MR
peripheral artery disease | ^PAD | pvd | peripheral vascular disease | peripheral arterial disease
abdominal aortic aneurysm | ^AAA
stroke | cva | cerebrovascular accident
transient ischemic attack | tia
intracranial hemorrhage | ^ICH
subdural hematoma | ^SDH
deep vein thrombosis | dvt | deep venous thrombosis
pulmonary embolism | ^PE | pulmonary embolus | pulmonary emboli
pulmonary hypertension
cardiomyopathy | nonischemic cardiomyopathy | nonischemic cm | ischemic cardiomyopathy
copd | chronic obstructive pulmonary disease | emphysema
asthma | reactive airway disease
sleep apnea | osa | obstructive sleep apnea
pneumonia | pna | community acquired pneumonia
upper respiratory infection | uri | common cold | upper respiratory tract infection
covid | covid 19 | sars cov 2
influenza | flu
respiratory failure | hypoxic respiratory failure | hypoxemic respiratory failure | ^ARDS
pleural effusion | effusion
pulmonary edema | interstitial edema | interstitial pulmonary edema
cardiomegaly | enlarged heart | heart is enlarged
pneumothorax | ^PTX
chronic kidney disease | ckd | chronic renal insufficiency | chronic kidney disease stage
end stage renal disease | esrd | end stage kidney disease
acute kidney injury | aki | acute renal failure | acute renal injury
urinary tract infection | uti | bladder infection | cystitis
pyelonephritis | kidney infection
kidney stone | nephrolithiasis | renal stone | renal calculus
benign prostatic hyperplasia | bph | enlarged prostate
reflux disease | gerd | acid reflux | reflux | gastroesophageal reflux
| gastroesophageal reflux disease
peptic ulcer disease | pud
gastrointestinal bleed | gib | gi bleed | gi bleeding | gastrointestinal bleeding
bowel obstruction | sbo | small bowel obstruction
inflammatory bowel disease | ibd
irritable bowel syndrome | ibs
hepatitis c | hcv
hepatitis b | hbv
hiv | human immunodeficiency virus
cirrhosis
pancreatitis
diverticulitis
cholecystitis
cholelithiasis | gallstone
appendicitis
sepsis | septicemia | septic shock
cancer | carcinoma | malignancy
hypothyroidism | hypothyroid | underactive thyroid
hyperthyroidism | hyperthyroid | overactive thyroid
osteoarthritis | ^OA | degenerative joint disease | djd
rheumatoid arthritis | ^RA
lupus | systemic lupus erythematosus | ^SLE
multiple sclerosis
osteoporosis
gout
dementia | alzheimer disease | alzheimers disease
parkinson disease | parkinsons disease
seizure disorder | epilepsy | seizure
migraine
depression | mdd | major depressive disorder | depressive disorder
anxiety | gad | anxiety disorder | generalized anxiety disorder
bipolar disorder
ptsd | post traumatic stress disorder
alcohol use disorder | alcoholism | alcohol abuse | alcohol dependence | etoh abuse
opioid use disorder | ^OUD
anemia
thrombocytopenia
hyperkalemia
hypokalemia
hyponatremia
hypernatremia
hyperglycemia
hypoglycemia
diabetic ketoacidosis | dka
leukocytosis
obesity | obese
cellulitis
pressure ulcer | decubitus ulcer | pressure injury
delirium
"""
PROCEDURES = """
coronary artery bypass graft | cabg | coronary bypass | bypass surgery
| coronary artery bypass grafting
percutaneous coronary intervention | pci | angioplasty | coronary stent
cardiac catheterization | heart catheterization | cardiac cath | left heart cath | cath
| coronary angiography | coronary angiogram
transesophageal echocardiogram | tee | transesophageal echocardiography
cardioversion | dccv | direct current cardioversion | dc cardioversion
ablation | catheter ablation
pacemaker | ppm | pacemaker placement
defibrillator | icd | aicd
colonoscopy
upper endoscopy | egd | esophagogastroduodenoscopy
ercp | endoscopic retrograde cholangiopancreatography
bronchoscopy
thoracentesis
paracentesis
lumbar puncture | spinal tap
chest tube | thoracostomy
intubation | intubated
dialysis | hemodialysis | renal dialysis | ^HD
blood transfusion | transfusion | transfused | prbc
cholecystectomy | lap chole | chole | gallbladder removal | gallbladder removed
| gallbladder was removed | laparoscopic cholecystectomy
appendectomy | appendix removed | appendix was removed
hysterectomy | tah
mastectomy
tonsillectomy
knee replacement | tka | tkr | total knee arthroplasty | total knee replacement | knee arthroplasty
| knee was replaced | knee replaced
hip replacement | tha | thr | total hip arthroplasty | total hip replacement | hip arthroplasty
orif | open reduction internal fixation | open reduction and internal fixation
cesarean section | c section | cesarean
biopsy | bx
tracheostomy | trach
gastrostomy | peg tube | g tube
chemotherapy | chemo
radiation therapy | radiotherapy | xrt
debridement
"""
DRUGS = """
acetaminophen | tylenol | paracetamol | apap
ibuprofen | advil | motrin
naproxen | aleve
nsaid | nsaids
aspirin | ^ASA
clopidogrel | plavix
ticagrelor | brilinta
warfarin | coumadin
apixaban | eliquis
rivaroxaban | xarelto
dabigatran | pradaxa
heparin
enoxaparin | lovenox
metoprolol | lopressor | toprol | metop | toprol xl
carvedilol | coreg
propranolol | inderal
lisinopril | zestril | prinivil
ace inhibitor | ace i | acei
losartan | cozaar
valsartan | diovan
sacubitril | entresto
amlodipine | norvasc
diltiazem | cardizem | dilt
verapamil | calan
hydralazine
nitroglycerin | ntg
digoxin | dig | lanoxin
amiodarone | amio
furosemide | lasix
torsemide | demadex
bumetanide | bumex
hydrochlorothiazide | hctz
metolazone
spironolactone | aldactone
atorvastatin | lipitor
simvastatin | zocor
rosuvastatin | crestor
metformin | glucophage
glipizide
glyburide
empagliflozin | jardiance
dapagliflozin | farxiga
semaglutide | ozempic
insulin | lantus | humalog | novolog | lispro | glargine | insulin glargine
levothyroxine | synthroid
omeprazole | prilosec
pantoprazole | protonix
famotidine | pepcid
ondansetron | zofran
docusate | colace
senna
miralax | polyethylene glycol
albuterol | ventolin | proventil
ipratropium | atrovent
tiotropium | spiriva
fluticasone | flonase | flovent | advair
montelukast | singulair
prednisone
methylprednisolone | medrol | solumedrol
dexamethasone | decadron
amoxicillin | amox | amoxil
augmentin | amoxicillin clavulanate
zosyn | piperacillin tazobactam | pip tazo
cephalexin | keflex
cefazolin | ancef
ceftriaxone | rocephin
vancomycin | vanc | vanco
azithromycin | zithromax | z pak
doxycycline | doxy
ciprofloxacin | cipro
levofloxacin | levaquin
metronidazole | flagyl
sulfa | sulfonamide | bactrim | septra | tmp smx | trimethoprim sulfamethoxazole
| sulfamethoxazole trimethoprim | sulfamethoxazole | trimethoprim
nitrofurantoin | macrobid
clindamycin | cleocin
penicillin | pcn
oxycodone | oxycontin | percocet
hydrocodone | norco | vicodin
hydromorphone | dilaudid
morphine
fentanyl
codeine
tramadol | ultram
gabapentin | neurontin
pregabalin | lyrica
cyclobenzaprine | flexeril
meloxicam | mobic
sertraline | zoloft
fluoxetine | prozac
escitalopram | lexapro
citalopram | celexa
bupropion | wellbutrin
venlafaxine | effexor
duloxetine | cymbalta
trazodone
lorazepam | ativan
alprazolam | xanax
quetiapine | seroquel
haloperidol | haldol
levetiracetam | keppra
phenytoin | dilantin
valproate | depakote | valproic acid
carbamazepine | tegretol
lamotrigine | lamictal
topiramate | topamax
tamsulosin | flomax
allopurinol
colchicine
methotrexate
diphenhydramine | benadryl
cetirizine | zyrtec
loratadine | claritin
potassium chloride | kcl
ferrous sulfate | iron
epoetin | epogen
inhaler | puffer
antibiotic | abx
steroid | corticosteroid
contrast | iodinated contrast | iv contrast
latex
"""
RESULTS = """
creatinine | ^Cr
potassium | ^K
sodium | ^Na
urea nitrogen | bun
glucose | ^Glu | ^BG | blood sugar
hemoglobin | hgb | ^Hb
white count | wbc | white blood cell count | white blood cell | leukocyte count
platelet | plt
bnp | nt probnp | natriuretic peptide | brain natriuretic peptide
troponin | trop | hs trop
lactate | lactic acid
inr
hemoglobin a1c | a1c | hba1c
ejection fraction | ef | lvef | left ventricular ejection fraction
tsh | thyroid stimulating hormone
ast
alt
bilirubin | bili | total bilirubin
albumin
crp | c reactive protein
esr | sedimentation rate
d dimer
lipase
magnesium | ^Mg
calcium | ^Ca
ldl
psa
ferritin
ammonia
oxygen saturation | spo2 | o2 sat
left atrium | ^LA | left atrial
blood culture | bcx
urine culture | ucx
"""
CARE = """
cardiology | cards | cardiologist
primary care | pcp | primary care physician | primary care provider | family doctor
nephrology | nephrologist
neurology | neurologist
pulmonology | pulmonologist
gastroenterology | gastroenterologist
oncology | oncologist
orthopedics | ortho | orthopedic surgery | orthopedist
endocrinology | endocrinologist
rheumatology | rheumatologist
dermatology | dermatologist
urology | urologist
psychiatry | psychiatrist
infectious disease
physical therapy | ^PT | hhpt
metabolic panel | bmp | basic metabolic panel | cmp | comprehensive metabolic panel
blood count | cbc | complete blood count
lipid panel
chest radiograph | cxr | chest x ray | chest xray | chest film | chest radiography
echocardiogram | echo | tte
computed tomography | ^CT | ct scan
magnetic resonance imaging | mri
mammogram | mammography
ultrasound
x ray | xray | radiograph
wound check
suture removal
"""
