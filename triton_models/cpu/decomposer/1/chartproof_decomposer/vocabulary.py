"""Words by which claims are told apart from parts of claims. Written for recall of what is common;
a word that is missing only means that a sentence is left whole.
"""

from __future__ import annotations

from chartproof_vocabulary.tables import drug_names, word_list

from chartproof_decomposer.lexicon import ENDED, words

FINITE = words(
    "is was are were has had have does did do will denies denied reports reported states stated "
    "notes noted endorses endorsed complains complained presents presented developed develops "
    "underwent undergoes received receives required requires continues continued remains "
    "remained remain became becomes takes took uses used lives lived works worked smokes smoked "
    "drinks drank appears appeared shows showed shown revealed reveals demonstrated "
    "demonstrates improved improves worsened worsens resolved returned tolerated tolerates "
    "ambulated ambulates arrived came comes went goes felt feels feel fell began begins started "
    "starts stopped stops refused refuses declined declines agreed agrees wants wanted needs "
    "needed knows thinks thought says said told describes described admits admitted seems "
    "seemed gets got gave gives makes made keeps kept left leaves plans planned tested tests "
    "grew grows rose rises dropped drops increased increases decreased decreases ate eats slept "
    "sleeps walks walked died suffers suffered experienced experiences sustained sought seeks "
    "saw sees sits stands helps helped cannot can"
)
"""Words that may be the verb of a clause; a second one in a clause means: do not split it."""

AUXILIARIES = words("is was are were has had will does did")

SHARED_SUBJECT = AUXILIARIES | words(
    "denies denied reports reported endorses endorsed presented developed underwent received "
    "required remains remained takes lives smokes continues tolerated"
)
"""Verbs that may open a clause whose subject is that of the clause before."""

SUBJECTS = words("he she patient pt we")
"""A clause with one of these as its subject stands alone as well as the sentence did."""

GUARDS = words(
    "if unless until whether should either neither nor both except excluding instead rather "
    "respectively than such including only although though despite while whereas because since "
    "so that which who whom whose when where as like may could would might must can alternating "
    "between combination plus minus pending possible possibly probable probably likely unlikely "
    "suspected suspect concern concerning presumed presumptive suggestive question questionable "
    "versus vs vs. r/o rule differential ddx risk potential apparent apparently"
)
"""With one of these in a sentence, what the parts mean depends on the whole: leave it."""

SIDES = words("left right bilateral bilaterally unilateral l r lt rt lle rle lue rue upper lower")

DEGREES = words(
    "focal surrounding palpable visible any significant severe mild moderate acute chronic new "
    "worsening increased decreased recent recurrent further other active overt obvious gross "
    "frequent intermittent persistent unexplained major minor"
)
"""Denying "severe pain" does not deny pain, so a denied list with one of these stays whole."""

NON_INTERSECTIVE = words(
    "prior previous remote former resolved old past history h/o hx family maternal paternal "
    "mother father brother sister status s/p"
)
"""Adjectives that must not be lost or spread over a list."""

PREPOSITIONS = words(
    "in on at to from with without by for of during after before over under through per via "
    "into about since until due secondary despite around near following post upon within x"
)

ACTIONS = ENDED | words(
    "continue start starting restart resume add give begin increase decrease reduce taper titrate "
    "switch change replace try consider use recommend recheck repeat check monitor follow get "
    "obtain order treat give refill renew transition convert wean"
)
"""What is done with a drug or for a problem: it opens another order."""

BREAKERS = (
    FINITE
    | ACTIONS
    | GUARDS
    | NON_INTERSECTIVE
    | words(
        "no not without denies none never also then now today yesterday currently he she they "
        "it i we his her their patient pt to be been being ago daily present positive negative "
        "normal stable clear intact unchanged improving better worse well alert oriented awake "
        "comfortable controlled type stage grade class and or but"
    )
)
"""With one of these an item of a list is more, or less, than a name."""

LOCAL = words(
    "pain pressure tightness discomfort swelling redness numbness tingling weakness tenderness "
    "stiffness edema bruising bleeding rash injury warmth discharge itching burning urgency "
    "frequency lesions masses mass effusion erythema spasm cramping cramps ache aches soreness "
    "distension distention changes symptoms problems trauma hemorrhage infection ulcers lump "
    "loss gain breath appetite consciousness disease failure disorder embolism thrombosis "
    "stenosis hernia hernias fracture fractures dislocation ideation deficits apnea fibrillation"
)
"""Names that need a site: after "chest pain", a bare "pressure" is the chest's."""

NAMES = LOCAL | words(
    "fever fevers chills sweats rigors nausea vomiting emesis diarrhea constipation dyspnea "
    "orthopnea cough wheezing palpitations syncope presyncope dizziness lightheadedness vertigo "
    "headache headaches fatigue malaise anorexia dysuria hematuria melena hematochezia "
    "hematemesis hemoptysis seizure seizures breath appetite consciousness sob cp doe "
    "pnd murmur murmurs gallop gallops rub rubs wheezes rales crackles rhonchi stridor cyanosis "
    "clubbing jaundice icterus ascites guarding rebound lymphadenopathy thyromegaly "
    "organomegaly hepatomegaly splenomegaly hepatosplenomegaly jvd bruits bruit thrill clonus "
    "tremor nystagmus deficits photophobia phonophobia diplopia tinnitus congestion rhinorrhea "
    "dysphagia odynophagia heartburn bloating incontinence polyuria polydipsia insomnia anxiety "
    "depression hallucinations ideation suicidality asthma hypertension hyperlipidemia "
    "hypercholesterolemia dyslipidemia diabetes mellitus obesity gout stroke tia angina cancer "
    "carcinoma lymphoma leukemia melanoma anemia hypothyroidism hyperthyroidism osteoarthritis "
    "osteoporosis arthritis cirrhosis hepatitis pancreatitis cholecystitis appendicitis "
    "diverticulitis colitis pneumonia bronchitis sinusitis cellulitis sepsis bacteremia "
    "pyelonephritis dementia epilepsy migraine migraines neuropathy cardiomyopathy retinopathy "
    "nephropathy fibrillation flutter tachycardia bradycardia hypotension disease failure gerd "
    "copd chf cad htn ckd esrd dm dm2 t2dm hld afib osa bph uti dvt pe mi pvd cva hiv ibs ibd "
    "ptsd adhd reflux apnea embolism thrombosis stenosis fracture fractures dislocation "
    "pneumothorax consolidation hernia hemorrhoids kidney-stones nephrolithiasis cholelithiasis "
    "psoriasis eczema dermatitis urticaria hives anaphylaxis tobacco alcohol smoking hypoxia "
    "hypokalemia hyperkalemia hyponatremia hypernatremia hypoglycemia hyperglycemia "
    "leukocytosis thrombocytopenia hernias disorder"
)
"""Complaints, signs and diseases that can end the name of an item."""

NAME_ENDINGS = (
    "itis", "emia", "osis", "pathy", "algia", "pnea", "uria", "rrhea", "rrhagia", "megaly",
    "plegia", "paresis", "cytosis", "penia", "ectasia", "thyroidism", "ectomy", "plasty", "ostomy",
    "otomy", "edema",
)  # fmt: skip

ORGANS = words(
    "heart lung lungs liver kidney kidneys breast colon prostate thyroid bladder bowel brain "
    "skin bone joint neck back hip knee shoulder ankle wrist elbow foot hand arm leg eye ear "
    "nose throat chest abdomen stomach pancreas spleen uterus ovary cervix head face spine"
)

FIXED_OF = words("shortness loss range lack difficulty")
"""What may stand before "of" in the name of an item: "shortness of breath"."""

DRUGS = drug_names() | word_list("substances")

DRUG_ENDINGS = (
    "pril", "sartan", "olol", "statin", "azole", "mycin", "cillin", "floxacin", "idine", "dipine",
    "xaban", "parin", "gliptin", "gliflozin", "oxetine", "traline", "pram", "zepam", "zolam",
    "sone", "solone", "formin", "thiazide", "semide", "prazole", "cycline", "triptan", "apine",
    "penem", "lukast", "grel", "lamide", "glutide", "parib", "tinib", "mab", "vir", "terol",
)  # fmt: skip

LIST_SECTIONS = frozenset(
    {
        "Past Medical History",
        "Past Surgical History",
        "Allergies",
        "Medications",
        "Home Medications",
        "Discharge Medications",
        "Problem List",
        "Diagnoses",
        "Discharge Diagnoses",
    }
)
"""Sections in which a bare list says: each of these."""
