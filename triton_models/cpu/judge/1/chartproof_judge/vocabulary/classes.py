"""What a thing is one of: who has cellulitis has an infection; lisinopril is an ACE inhibitor.

A fact about the narrower supports a statement about the wider, and not the other way round.
"""

CLASSES = """
infection: cellulitis, pneumonia, urinary tract infection, pyelonephritis, sepsis, influenza, covid
| tuberculosis, community acquired pneumonia, upper respiratory infection, hepatitis c, hepatitis b
| human immunodeficiency virus, abscess, osteomyelitis, meningitis, endocarditis, appendicitis
arrhythmia: atrial fibrillation, atrial flutter, supraventricular tachycardia
| ventricular tachycardia
heart disease: coronary artery disease, heart failure, myocardial infarction, atrial fibrillation
| aortic stenosis, heart failure with reduced ejection fraction
acute coronary syndrome: stemi, nstemi
myocardial infarction: stemi, nstemi
heart failure: heart failure with reduced ejection fraction
| heart failure with preserved ejection fraction, acute decompensated heart failure
atrial fibrillation: paroxysmal atrial fibrillation
diabetes: type 2 diabetes, type 1 diabetes
depression: major depressive disorder, persistent depressive disorder
lung: clear to auscultation bilaterally
imaging: x ray, chest x ray, computed tomography, magnetic resonance imaging, ultrasound
echocardiogram: transesophageal echocardiogram
stroke: intracranial hemorrhage, subarachnoid hemorrhage
venous thromboembolism: deep vein thrombosis, pulmonary embolism
surgery: coronary artery bypass graft, cholecystectomy, appendectomy, hysterectomy
| total knee replacement, total hip replacement, cesarean section, open reduction internal fixation
antibiotic: amoxicillin, amoxicillin clavulanate, ampicillin sulbactam, piperacillin tazobactam
| cephalexin, cefazolin, ceftriaxone, cefepime, meropenem, vancomycin, azithromycin, doxycycline
| ciprofloxacin, levofloxacin, metronidazole, trimethoprim sulfamethoxazole, nitrofurantoin
| clindamycin, penicillin
anticoagulant: warfarin, apixaban, rivaroxaban, dabigatran, heparin, enoxaparin
beta blocker: metoprolol, carvedilol, atenolol, propranolol, labetalol, bisoprolol, nebivolol
| sotalol
ace inhibitor: lisinopril, enalapril, captopril, ramipril, benazepril, quinapril
angiotensin receptor blocker: losartan, valsartan, olmesartan, irbesartan, telmisartan
| candesartan
calcium channel blocker: amlodipine, diltiazem, verapamil, nifedipine
statin: atorvastatin, simvastatin, rosuvastatin, pravastatin
diuretic: furosemide, torsemide, bumetanide, hydrochlorothiazide, chlorthalidone, spironolactone
| metolazone
loop diuretic: furosemide, torsemide, bumetanide
thiazide: hydrochlorothiazide, chlorthalidone, metolazone
insulin: insulin glargine, insulin lispro, insulin aspart, insulin detemir, insulin degludec
| insulin nph, insulin regular
vasopressor: norepinephrine, vasopressin, phenylephrine, epinephrine, dopamine
antihistamine: diphenhydramine, cetirizine, loratadine, fexofenadine, hydroxyzine
antiepileptic: levetiracetam, phenytoin, phenobarbital, valproate, lamotrigine, carbamazepine
| topiramate
antiplatelet: aspirin, clopidogrel, ticagrelor, prasugrel
immunosuppressant: tacrolimus, cyclosporine, mycophenolate, azathioprine
muscle relaxant: cyclobenzaprine, baclofen, methocarbamol, tizanidine
sulfonylurea: glipizide, glyburide, glimepiride
nsaid: ibuprofen, naproxen, meloxicam, celecoxib, ketorolac
opioid: oxycodone, morphine, hydromorphone, fentanyl, tramadol, oxycodone acetaminophen
| hydrocodone acetaminophen
ssri: sertraline, fluoxetine, escitalopram, citalopram, paroxetine
antidepressant: sertraline, fluoxetine, escitalopram, citalopram, paroxetine, bupropion
| venlafaxine, duloxetine, mirtazapine
benzodiazepine: lorazepam, alprazolam, clonazepam, diazepam
proton pump inhibitor: omeprazole, pantoprazole, esomeprazole
steroid: prednisone, methylprednisolone, dexamethasone, hydrocortisone
antiviral: acyclovir, valacyclovir, oseltamivir
antiemetic: ondansetron, metoclopramide, promethazine, prochlorperazine
"""
"""Wider: the narrower ones, all by their canonical names."""

CLASS_NAMES = """
antibiotic | abx | antimicrobial
anticoagulant | blood thinner | anticoagulation | anticoag
beta blocker | beta adrenergic blocker
ace inhibitor | acei | angiotensin converting enzyme inhibitor
angiotensin receptor blocker | arb
calcium channel blocker | ccb
diuretic | water pill
nsaid | nonsteroidal anti inflammatory drug | nonsteroidal
opioid | narcotic | opiate
ssri | selective serotonin reuptake inhibitor
antidepressant
loop diuretic
thiazide | thiazide diuretic
vasopressor | pressor
antihistamine
antiepileptic | anticonvulsant | ^AED
antiplatelet | antiplatelet agent
immunosuppressant | immunosuppression
muscle relaxant
sulfonylurea
proton pump inhibitor | ppi
steroid | corticosteroid | glucocorticoid
heart disease | cardiac disease
arrhythmia | dysrhythmia
infection
"""
