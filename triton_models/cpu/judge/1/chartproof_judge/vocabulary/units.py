"""Units as clinical notes write them, and the substances whose units depend on what they are.

Data only: `units` gives every spelling to pint once, so that what a note says never reaches pint's
parser of expressions.
"""

CLINICAL = """
biological_unit = [potency]
osmole = [osmole]
equivalent = [equivalent] = Eq
glycation = [glycation]
beat = [beat]
cell = [cell]
field = [field]
tablet = [tablet]
puff = [puff]
pack = [pack]
cigarette = [cigarette]
drink = [drink]
dose = [dose]
drop = [drop]
spray = [spray]
patch = [patch]
vessel = [vessel]
arc = [arc]
share = [share]
french = [caliber]

@context(mw=1,valence=1,strength=1) analyte
    [substance] / [volume] -> [mass] / [volume]: value * mw
    [equivalent] / [volume] -> [mass] / [volume]: value / valence * mw * mole / equivalent
    [potency] -> [mass]: value * strength
    [potency] / [volume] -> [mass] / [volume]: value * strength
@end
"""
"""What pint's own registry lacks, in its language. What is counted is a dimension of its own: two
tablets are never two puffs."""

SPELLINGS = """
picogram: pg
nanogram: ng nanogram
microgram: mcg ug microgram
milligram: mg mgm milligram
gram: g gm gram
kilogram: kg kgs kilo kilogram
pound: lb lbs pound
ounce: oz ounce
milliliter: ml cc milliliter millilitre
deciliter: dl
liter: l liter litre
microliter: ul mcl microliter mm3 cmm
femtoliter: fl
mole: mol mole
millimole: mmol millimole
micromole: umol mcmol micromole
nanomole: nmol
picomole: pmol
milliequivalent: meq milliequivalent
biological_unit: iu u unit
millibiological_unit: miu mu munit
microbiological_unit: uiu
share: % percent pct
mmHg: mmhg torr
kilopascal: kpa
centimeter_H2O: cmh2o
beat/minute: bpm /min /minute
beat: beat breath
minute: minute min
second: second sec
hour: hour hr h
day: day d
week: week wk
month: month mo
year: year yr y
millimeter: mm millimeter millimetre
centimeter: cm centimeter centimetre
meter: meter metre
inch: inch
foot: ft foot feet
meter**2: m2 sqm
degF: f degf °f degreef degreesf fahrenheit degreefahrenheit degreesfahrenheit
degC: c degc °c degreec degreesc celsius degreecelsius degreescelsius centigrade
arc: degree °
tablet: tablet tab pill capsule cap caplet lozenge
puff: puff inhalation
pack: pack
cigarette: cigarette
drink: drink beer
dose: dose
drop: drop gtt
spray: spray
patch: patch
vessel: vessel
french: french fr
gray: gy
centigray: cgy
millicurie: mci
kilocalorie: kcal
milliosmole: mosm
kilocell/microliter: k/ul k/mm3 k/cmm k/mcl thou/ul thousand/ul k/l
megacell/microliter: m/ul m/mm3 m/cmm mil/ul million/ul
cell/microliter: /ul /mm3 /cmm /mcl cells/ul cells/mm3
cell/field: /hpf cells/hpf
milligram/deciliter: mg%
glycation: mmol/mol
"""
"""Expression in pint's language -> spellings, lower case, singular, white space taken out."""

BASES = """milligram milliliter day centimeter degF mmHg beat/minute milligram/deciliter
millimole/liter cell/microliter biological_unit/liter milliliter/minute milliliter/hour
centimeter**2 milligram/kilogram tablet"""
"""The unit that values of its dimension become; where none is named, SI's."""

APART = frozenset(("day", "d", "week", "wk", "month", "mo", "year", "yr", "y"))
"""Times that say how often when they stand below a stroke: 40 mg/day is a dose and a frequency."""

ANALYTES = """
glucose | 180.16
creatinine | 113.12
blood urea nitrogen | 28.014
cholesterol | 386.65
low density lipoprotein | 386.65
high density lipoprotein | 386.65
triglyceride | 885.4
bilirubin | 584.66
calcium | 40.078 | 2
magnesium | 24.305 | 2
phosphate | 30.974
uric acid | 168.11
lactate | 90.08
ammonia | 17.031
sodium | 22.990
potassium | 39.098
chloride | 35.453
bicarbonate | 61.017
hemoglobin | 16114
vitamin b12 | 1355.4
lithium | 6.94
digoxin | 780.94
phenytoin | 252.27
theophylline | 180.16
"""
"""Concept | molar mass (g/mol) | valence, where an equivalent is no mole.

Molar masses from IUPAC's atomic weights (2021); urea is counted by its nitrogen, phosphate by its
phosphorus, lipoproteins by their cholesterol, haemoglobin by its monomer, as laboratories do.
"""

STRENGTHS = """
vitamin d | 0.025
vitamin a | 0.3
"""
"""Concept | micrograms of one international unit of it (WHO)."""

GLYCATION = ("hemoglobin a1c", 0.0915, 2.15)
"""Per cent (NGSP) of mmol/mol (IFCC): slope and intercept of the master equation (IFCC, 2004)."""

ASSUMED = """
temperature | 45 | c | f
white blood cell | 1000 | k/ul | /ul
platelet | 1500 | k/ul | /ul
"""
"""Concept | limit | unit of bare numbers below it | unit of the others: `T 38.5`, `WBC 12,000`."""
