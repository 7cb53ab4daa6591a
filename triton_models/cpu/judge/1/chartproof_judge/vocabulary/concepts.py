"""Concepts by kind. One concept a line, its names parted by `|`, the canonical one first;
a line that starts with `|` goes on with the concept above.

A name that starts with `^` is an abbreviation that counts only in the case written (MI, PE, HR),
because in lower case it would be an ordinary word.
"""

PROBLEMS = """
hypertension | htn | high blood pressure | hypertensive disease
hypotension | low blood pressure
hyperlipidemia | hld | dyslipidemia | high cholesterol | hypercholesterolemia
type 2 diabetes | t2dm | dm2 | type ii diabetes | diabetes type 2 | niddm
| diabetes mellitus type 2 | type 2 diabetes mellitus | type 2 dm
type 1 diabetes | t1dm | dm1 | diabetes mellitus type 1 | type i diabetes | diabetes type 1
| type 1 diabetes mellitus
diabetes | diabetes mellitus | ^DM | iddm
heart failure | chf | hf | congestive heart failure | cardiac failure
heart failure with reduced ejection fraction | hfref | systolic heart failure
heart failure with preserved ejection fraction | hfpef | diastolic heart failure
acute decompensated heart failure | adhf | decompensated heart failure
coronary artery disease | cad | coronary disease | ischemic heart disease
myocardial infarction | ^MI | heart attack | ami
stemi | st elevation myocardial infarction
nstemi | non st elevation myocardial infarction
acute coronary syndrome | ^ACS
atrial fibrillation | afib | a fib | af | auricular fibrillation
paroxysmal atrial fibrillation | paf | p afib
rapid ventricular response | rvr
atrial flutter | aflutter
supraventricular tachycardia | svt
ventricular tachycardia | vtach | v tach | ^VT
aortic stenosis | ^AS
peripheral vascular disease | pvd | peripheral arterial disease | peripheral artery disease | ^PAD
abdominal aortic aneurysm | aaa
cerebrovascular accident | cva | stroke
transient ischemic attack | tia | mini stroke
intracranial hemorrhage | ^ICH | brain bleed | intracerebral hemorrhage
subarachnoid hemorrhage | sah
subdural hematoma | sdh
deep vein thrombosis | dvt | deep venous thrombosis
pulmonary embolism | ^PE | pulmonary embolus | pulmonary emboli
venous thromboembolism | vte
chronic obstructive pulmonary disease | copd | emphysema
asthma | reactive airway disease
obstructive sleep apnea | osa | sleep apnea
pneumonia | pna
community acquired pneumonia | ^CAP
lower respiratory infection | lrti | lower respiratory tract infection
upper respiratory infection | uri | common cold | upper respiratory tract infection
tuberculosis | ^TB
covid | covid 19 | sars cov 2 | coronavirus
influenza | flu
acute respiratory distress syndrome | ards
respiratory failure | hypoxic respiratory failure
chronic kidney disease | ckd | chronic renal insufficiency | chronic renal disease
| chronic renal failure
end stage renal disease | esrd | end stage kidney disease
acute kidney injury | aki | acute renal failure | ^ARF | acute renal injury
urinary tract infection | uti | bladder infection
pyelonephritis | kidney infection
nephrolithiasis | kidney stone | renal stone | renal calculus | renal calculi | kidney calculi
benign prostatic hyperplasia | bph | enlarged prostate
gastroesophageal reflux disease | gerd | acid reflux | reflux disease | reflux
peptic ulcer disease | pud
gastrointestinal bleed | gi bleed | gib | gastrointestinal hemorrhage | gi bleeding
small bowel obstruction | sbo
inflammatory bowel disease | ibd
irritable bowel syndrome | ibs
hepatitis c | hcv | hep c
hepatitis b | hbv | hep b
human immunodeficiency virus | hiv
cirrhosis | liver cirrhosis | hepatic cirrhosis
sepsis | septicemia
cancer | carcinoma | malignancy | malignant tumor
hypothyroidism | underactive thyroid
hyperthyroidism | overactive thyroid
osteoarthritis | ^OA | degenerative joint disease | djd | degenerative arthritis
rheumatoid arthritis | ^RA
systemic lupus erythematosus | lupus | ^SLE
multiple sclerosis | ^MS
osteoporosis
fracture | fx | broken bone
dementia | alzheimer
seizure disorder | epilepsy
depression | depressive disorder
major depressive disorder | mdd | major depression
persistent depressive disorder | dysthymia
anxiety | anxiety disorder
generalized anxiety disorder | gad
post traumatic stress disorder | ptsd
alcohol abuse | etoh abuse | alcoholism | alcohol use disorder | alcohol dependence
anemia | low hemoglobin | low blood count
thrombocytopenia | low platelets
hyperkalemia | high potassium
hypokalemia | low potassium
hyponatremia | low sodium
hypernatremia | high sodium
hyperglycemia | high blood sugar
hypoglycemia | low blood sugar
leukocytosis | elevated white count | elevated white blood cell count
obesity | obese
cellulitis
pressure ulcer | decubitus ulcer | bedsore | pressure injury
"""

FINDINGS = """
shortness of breath | sob | dyspnea | short of breath | breathlessness | difficulty breathing
| trouble breathing
dyspnea on exertion | doe | exertional dyspnea
chest pain | ^CP | chest discomfort
abdominal pain | abd pain | belly pain | stomach pain
nausea | nauseous | nauseated
vomiting | emesis | threw up | throwing up | vomit
nausea vomiting | n v
fever | febrile | pyrexia
chill | rigor
edema | swelling | swollen | swell
syncope | loss of consciousness | loc | passed out | fainting | faint
dizziness | dizzy | lightheaded | lightheadedness
headache | ha | cephalgia
fatigue | tired | tiredness
itching | pruritus | itchy
rash | skin eruption
hives | urticaria
bruising | ecchymosis | bruise
redness | erythema | erythematous
bleeding | hemorrhage | bleed
constipation | constipated
diarrhea | loose stool
melena | black stool | tarry stool
hematochezia | bright red blood per rectum | brbpr
dysuria | painful urination | burning with urination
hematuria | blood in urine
dysphagia | difficulty swallowing | trouble swallowing
palpitation
tachycardia | fast heart rate | rapid heart rate
bradycardia | slow heart rate
hypoxia | low oxygen | hypoxic | hypoxemia
cough
wheezing | wheeze
weakness
numbness | numb
tingling | paresthesia
unresponsive
death | died | dead | deceased | expired | passed away
confusion | confused | altered mental status | ams
insomnia | difficulty sleeping | trouble sleeping
weight loss | lost weight | wt loss
weight gain | gained weight | wt gain
tenderness | tender | ttp
murmur
jugular venous distention | jvd
ascites
jaundice | icterus
range of motion | rom
allergy | allergic
drug allergy | medication allergy
no known drug allergy | nkda | no known allergy | nka
"""

PROCEDURES = """
coronary artery bypass graft | cabg | bypass surgery | coronary bypass
percutaneous coronary intervention | pci | angioplasty | ptca
cardiac catheterization | heart catheterization | cardiac cath | left heart cath
| coronary angiography
echocardiogram | echo | tte | transthoracic echocardiogram | echocardiography
transesophageal echocardiogram | tee
electrocardiogram | ekg | ecg
chest x ray | cxr | chest radiograph | chest film
x ray | xray | xr | x rays | radiograph | plain film
computed tomography | ^CT | cat scan | ct scan
magnetic resonance imaging | mri | mr imaging
ultrasound | ^US | sonogram | ultrasonography
lumbar puncture | ^LP | spinal tap
colonoscopy
upper endoscopy | egd | esophagogastroduodenoscopy
endoscopic retrograde cholangiopancreatography | ercp
bronchoscopy
intubation | intubated
extubation | extubated
hemodialysis | ^HD | dialysis | dialyzed | dialysed
blood transfusion | transfusion | transfused | prbc | packed red blood cell
cholecystectomy | gallbladder removal
appendectomy
hysterectomy
amputation | amputated
pacemaker | ppm
implantable cardioverter defibrillator | icd | aicd
total knee replacement | tka | total knee arthroplasty | tkr
total hip replacement | tha | total hip arthroplasty | thr
open reduction internal fixation | orif
cesarean section | c section | cesarean | cesarean delivery
physical therapy | physiotherapy | ^PT
occupational therapy | ^OT
chemotherapy | chemo
radiation therapy | radiotherapy | xrt
biopsy | bx
surgery | surgical | operation | operative
tracheostomy | trach
gastrostomy tube | peg tube | g tube
foley catheter | foley | urinary catheter
vaccine | vaccination | immunization | vaccinated | shot
cardioversion | dccv
blood culture | bcx
urine culture | ucx
complete blood count | cbc
basic metabolic panel | bmp
comprehensive metabolic panel | cmp
urinalysis | ^UA
"""

ANATOMY = """
kidney | renal | nephric
heart | cardiac
liver | hepatic
lung | pulmonary
brain | cerebral
stomach | gastric
abdomen | abdominal | belly | abd
skin | cutaneous
bladder | vesical
gallbladder | biliary
intestine | bowel | intestinal
lower extremity | leg | le | lower limb
upper extremity | arm | ue | upper limb
left lower extremity | lle
right lower extremity | rle
left upper extremity | lue
right upper extremity | rue
right upper lobe | rul
right middle lobe | rml
right lower lobe | rll
left upper lobe | lul
left lower lobe | lll
right upper quadrant | ruq
right lower quadrant | rlq
left upper quadrant | luq
left lower quadrant | llq
left anterior descending | lad
right coronary artery | rca
left ventricle | lv | left ventricular
right ventricle | rv | right ventricular
shoulder
knee
ankle
hip
wrist
elbow
foot | pedal
hand
neck | cervical
back | lumbar
chest | thoracic | thorax
eye | ocular
ear
nose | nasal
throat | pharyngeal
head
vein | venous
artery | arterial
bone | osseous
muscle | muscular
joint
spine | spinal
thyroid
pancreas | pancreatic
spleen | splenic
prostate | prostatic
uterus | uterine
breast
"""

MEASURES = """
blood pressure | ^BP | bps
heart rate | ^HR | pulse
respiratory rate | ^RR | respiration
temperature | temp | ^T
oxygen saturation | spo2 | o2 sat | o2 saturation | sat | pulse oximetry | ^SAT | sao2
ejection fraction | ef | lvef
creatinine | ^Cr | scr
blood urea nitrogen | bun
white blood cell | wbc | white count | white blood cell count | leukocyte count
hemoglobin | hgb | hb
hemoglobin a1c | a1c | hba1c | hgba1c | glycated hemoglobin | hgb a1c
hematocrit | hct
platelet | plt | platelet count
sodium | ^Na
potassium | ^K
chloride | ^Cl
bicarbonate | hco3 | bicarb
calcium | ^Ca
magnesium | ^Mg
glucose | blood sugar | blood glucose | bg | fingerstick
troponin | trop
lactate | lactic acid
international normalized ratio | inr
brain natriuretic peptide | bnp | probnp | nt probnp
c reactive protein | crp
erythrocyte sedimentation rate | esr | sed rate
thyroid stimulating hormone | tsh
prostate specific antigen | psa
low density lipoprotein | ldl
high density lipoprotein | hdl
triglyceride
cholesterol
alanine aminotransferase | alt | sgpt
aspartate aminotransferase | ast | sgot
bilirubin | tbili
albumin
lipase
glomerular filtration rate | gfr | egfr
weight | wt | weigh
height | ht
body mass index | bmi
capillary refill | cap refill
"""

ORGANISMS = """
staphylococcus aureus | staph aureus | s aureus
methicillin resistant staphylococcus aureus | mrsa
mssa | methicillin sensitive staphylococcus aureus
escherichia coli | e coli
clostridium difficile | c diff | clostridioides difficile | c difficile | cdiff
streptococcus | strep
klebsiella
pseudomonas
enterococcus
candida | yeast
helicobacter pylori | h pylori
"""

PLAIN = """
room air
nasal cannula | nc
intravenous fluid | ivf
cardiology | cards
workup | w u
prophylaxis | ppx
diagnosis | dx
symptom | sx
regular rate and rhythm | rrr
clear to auscultation bilaterally | ctab
oxygen | o2
follow up | fu | f u | followup
medication | med | meds | medicine
patient | pt | pts
admission | admit | admitted | hospitalization | hospitalized
discharge | discharged | dc d | disposition | dispo
another hospital | outside hospital | osh | other hospital
skilled nursing facility | snf | nursing home | nursing facility | ecf | extended care facility
| extended care | skilled nursing
rehabilitation | rehab | irf | rehabilitation facility | rehab facility
long term acute care | ltac | ltach
against medical advice | ^AMA
assisted living | alf | assisted living facility
year old | yo | y o | yr old
emergency department | ^ED | emergency room | ^ER | emergency dept
intensive care unit | icu | micu | sicu | ccu
smoking | smoke | smoker | tobacco | cigarette | smoked
alcohol | etoh | drinking
worsen | worse | exacerbate | aggravate
improve | better | improved
increase | raise | uptitrate
decrease | reduce | lower dose | downtitrate | taper
start | initiate | begin | commence | started on
stop | discontinue | cease | quit | stopped
complain | complaint | c o
elevated | high | raised
normal | unremarkable | within normal limits | wnl | nl
bilateral | both | b l | bilaterally
mother | mom
father | dad
physician | doctor | md | provider | clinician | healthcare provider | health care provider
primary care physician | pcp | primary care provider | primary care doctor
spouse | wife | husband
as needed | prn
by mouth | ^PO | orally | oral
intravenous | iv | intravenously
home
test | testing | lab | labs
physical examination | physical exam | exam | examination
"""
