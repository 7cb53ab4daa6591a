"""Drugs: generic name first, then brands and short names. The commonest ones; suffixes do the rest.

`SUFFIXES` are stems of international nonproprietary names (WHO "stem book"): a word that ends so is
a drug even when the table lacks it.
"""

DRUGS = """
acetaminophen | tylenol | paracetamol | apap
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
heparin
enoxaparin | lovenox
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
isosorbide | imdur | isordil
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
insulin | lantus | humalog | novolog | insulin glargine | insulin lispro | insulin aspart
levothyroxine | synthroid
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
piperacillin tazobactam | zosyn
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
trimethoprim sulfamethoxazole | bactrim | septra | tmp smx
nitrofurantoin | macrobid
clindamycin | cleocin
fluconazole | diflucan
acyclovir | zovirax
valacyclovir | valtrex
oseltamivir | tamiflu
oxycodone | oxycontin | roxicodone
oxycodone acetaminophen | percocet
hydrocodone acetaminophen | vicodin | norco
hydromorphone | dilaudid
morphine | ms contin
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
valproate | depakote | valproic acid | divalproex
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
methotrexate | trexall
hydroxychloroquine | plaquenil
adalimumab | humira
diphenhydramine | benadryl
cetirizine | zyrtec
loratadine | claritin
guaifenesin | mucinex | robitussin
folic acid | folate
iron | ferrous sulfate
vitamin d | cholecalciferol
vitamin b12 | cyanocobalamin | b12
potassium chloride | kcl | k dur
penicillin | pcn
sulfa | sulfonamide
naloxone | narcan
epinephrine | epipen
norepinephrine | levophed
propofol | diprivan
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
