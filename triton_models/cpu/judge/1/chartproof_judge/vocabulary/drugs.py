"""Drugs: generic name first, then brands and short names. The commonest ones; suffixes do the rest.

`SUFFIXES` are stems of international nonproprietary names (WHO "stem book"): a word that ends so is
a drug even when the table lacks it.
"""

DRUGS = """
acetaminophen | tylenol | paracetamol | apap | ofirmev
ibuprofen | advil | motrin
naproxen | aleve | naprosyn
aspirin | asa | ecotrin | acetylsalicylic acid
clopidogrel | plavix
ticagrelor | brilinta
prasugrel | effient
warfarin | coumadin
apixaban | eliquis
rivaroxaban | xarelto
dabigatran | pradaxa
heparin | ufh | unfractionated heparin
enoxaparin | lovenox | lmwh
metoprolol | lopressor | toprol | metoprolol succinate | metoprolol tartrate | toprol xl
carvedilol | coreg
atenolol | tenormin
propranolol | inderal
labetalol | trandate
lisinopril | zestril | prinivil
enalapril | vasotec
captopril
ramipril | altace
losartan | cozaar
valsartan | diovan
sacubitril valsartan | entresto
amlodipine | norvasc
diltiazem | cardizem
verapamil | calan
nifedipine | procardia
hydralazine
isosorbide mononitrate | imdur | ismn
isosorbide dinitrate | isordil | isdn
isosorbide
nitroglycerin | ntg | nitro
digoxin | lanoxin
amiodarone | pacerone
furosemide | lasix
torsemide | demadex
bumetanide | bumex
hydrochlorothiazide | hctz | microzide
chlorthalidone
spironolactone | aldactone
atorvastatin | lipitor
simvastatin | zocor
rosuvastatin | crestor
pravastatin | pravachol
ezetimibe | zetia
metformin | glucophage
glipizide | glucotrol
glyburide
sitagliptin | januvia
empagliflozin | jardiance
dapagliflozin | farxiga
semaglutide | ozempic
liraglutide | victoza
insulin
insulin glargine | lantus | basaglar | toujeo | glargine
insulin lispro | humalog | admelog | lispro
insulin aspart | novolog | fiasp | aspart
insulin detemir | levemir | detemir
insulin degludec | tresiba | degludec
insulin nph | nph | humulin n | novolin n | insulin isophane
insulin regular | regular insulin | humulin r | novolin r
levothyroxine | synthroid | ^LT4 | levoxyl
omeprazole | prilosec
pantoprazole | protonix
esomeprazole | nexium
famotidine | pepcid
ranitidine | zantac
ondansetron | zofran
metoclopramide | reglan
docusate | colace
senna | senokot
polyethylene glycol | miralax
bisacodyl | dulcolax
albuterol | ventolin | proventil | salbutamol
ipratropium | atrovent
albuterol ipratropium | duoneb | combivent
tiotropium | spiriva
fluticasone | flonase | flovent
fluticasone salmeterol | advair
budesonide formoterol | symbicort
montelukast | singulair
prednisone | deltasone
methylprednisolone | solumedrol | medrol
dexamethasone | decadron
hydrocortisone
amoxicillin | amoxil
amoxicillin clavulanate | augmentin
ampicillin sulbactam | unasyn
piperacillin tazobactam | zosyn | pip tazo | piptazo
cephalexin | keflex
cefazolin | ancef
ceftriaxone | rocephin
cefepime | maxipime
meropenem | merrem
vancomycin | vanc | vanco
azithromycin | zithromax | z pak | zpak
doxycycline | vibramycin
ciprofloxacin | cipro
levofloxacin | levaquin
metronidazole | flagyl
trimethoprim sulfamethoxazole | bactrim | septra | tmp smx | smx tmp | tmp sulfa
| sulfamethoxazole trimethoprim | cotrimoxazole | co trimoxazole
nitrofurantoin | macrobid
clindamycin | cleocin | clinda
fluconazole | diflucan
acyclovir | zovirax
valacyclovir | valtrex
oseltamivir | tamiflu
oxycodone | oxycontin | roxicodone
oxycodone acetaminophen | percocet
hydrocodone acetaminophen | vicodin | norco
hydromorphone | dilaudid
morphine | ms contin | mso4
fentanyl | duragesic
tramadol | ultram
gabapentin | neurontin
pregabalin | lyrica
cyclobenzaprine | flexeril
meloxicam | mobic
celecoxib | celebrex
ketorolac | toradol
sertraline | zoloft
fluoxetine | prozac
escitalopram | lexapro | cipralex
citalopram | celexa
paroxetine | paxil
bupropion | wellbutrin
venlafaxine | effexor
duloxetine | cymbalta
mirtazapine | remeron
trazodone | desyrel
lorazepam | ativan
alprazolam | xanax
clonazepam | klonopin
diazepam | valium
zolpidem | ambien
quetiapine | seroquel
olanzapine | zyprexa
risperidone | risperdal
haloperidol | haldol
aripiprazole | abilify
lithium
levetiracetam | keppra
phenytoin | dilantin
phenobarbital | phb | luminal
valproate | depakote | valproic acid | divalproex | vpa
carbamazepine | tegretol
lamotrigine | lamictal
topiramate | topamax
donepezil | aricept
memantine | namenda
carbidopa levodopa | sinemet
tamsulosin | flomax
finasteride | proscar
sildenafil | viagra
oxybutynin | ditropan
allopurinol | zyloprim
colchicine | colcrys
alendronate | fosamax
methotrexate | trexall | mtx
hydroxychloroquine | plaquenil | hcq
adalimumab | humira
diphenhydramine | benadryl
cetirizine | zyrtec
loratadine | claritin
guaifenesin | mucinex | robitussin
folic acid | folate
iron | ferrous sulfate | iron sulfate | ferrous gluconate | feso4
vitamin d | cholecalciferol | vit d | vit d3 | vitamin d3 | ergocalciferol
vitamin b12 | cyanocobalamin | b12 | vit b12
potassium chloride | kcl | k dur
penicillin | pcn
sulfa | sulfonamide
naloxone | narcan
epinephrine | epipen | epi | adrenaline
norepinephrine | levophed | noradrenaline
propofol | diprivan
mycophenolate | mmf | cellcept | myfortic | mycophenolate mofetil
tacrolimus | prograf | fk506
cyclosporine | neoral | ciclosporin
azathioprine | imuran
alteplase | tpa | activase | tissue plasminogen activator
tenecteplase | tnkase | tnk
normal saline | ^NS
lactated ringers | ^LR | lactated ringer
sodium bicarbonate
rituximab | rituxan
infliximab | remicade
hydroxyzine | vistaril | atarax
meclizine | antivert
promethazine | phenergan
prochlorperazine | compazine
baclofen | lioresal
methocarbamol | robaxin
tizanidine | zanaflex
buprenorphine | suboxone | subutex
methadone
sevelamer | renvela
linezolid | zyvox
daptomycin | cubicin
ertapenem | invanz
aztreonam | azactam
gentamicin
tobramycin
nystatin
fexofenadine | allegra
pioglitazone | actos
glimepiride | amaryl
dulaglutide | trulicity
tirzepatide | mounjaro
bisoprolol | zebeta
nebivolol | bystolic
clonidine | catapres
doxazosin | cardura
terazosin | hytrin
olmesartan | benicar
irbesartan | avapro
telmisartan | micardis
candesartan | atacand
benazepril | lotensin
quinapril | accupril
metolazone | zaroxolyn
ranolazine | ranexa
flecainide | tambocor
sotalol | betapace
dofetilide | tikosyn
adenosine
vasopressin
dopamine
dobutamine
milrinone
phenylephrine
ketamine
midazolam | versed
dexmedetomidine | precedex
rocuronium
succinylcholine
"""

SUFFIXES = (
    "pril", "sartan", "olol", "statin", "conazole", "nidazole", "prazole", "mycin", "cillin",
    "floxacin", "cycline", "dipine", "gliptin", "gliflozin", "glutide", "tinib", "ciclib", "ximab",
    "zumab", "lumab", "mumab", "navir", "tegravir", "ciclovir", "triptan", "azepam", "azolam",
    "oxetine", "caine", "parin", "xaban", "tidine", "sonide", "olone", "lukast", "setron",
    "formin", "glitazone", "zosin", "thiazide", "barbital", "profen", "coxib", "dronate",
    "platin", "rubicin", "taxel", "penem", "bactam", "trexate", "curium", "terol", "tropium",
    "semide", "afil", "idone", "apine", "ipramine", "triptyline", "fibrate", "lamide",
)  # fmt: skip
"""`-mycin` and its like; a word must be longer than its suffix by two letters."""

PREFIXES = ("cefa", "cefe", "cefi", "cefo", "cefp", "ceft", "cefu", "sulfa")
