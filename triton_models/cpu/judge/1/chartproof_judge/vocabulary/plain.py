"""Words that carry little or no meaning of their own in a clinical statement."""

from .tables import word_set

STOP = word_set(
    """patient patients a an the and or nor but of in on at to for from by with within into onto
    upon over under than then that this these those there here it its itself he she him his
    her hers they them their i me my we us our you your who whom which what whose when where
    while as if so such be is are was were been being am do does did done doing has have had
    having will would shall should can could may might must not no also too very just both
    either neither each any some all every other another more most much many few less least
    own same s t d ll ve re m about approximately around roughly up down out off again further
    once only because since until during before after above below between through per via
    although though however therefore thus hence yet still even mr mrs ms dr e g i.e etc vs
    versus"""
)  # fmt: skip

GENERIC = word_set(
    """patient report state note describe deny endorse present history past medical complain find
    show reveal demonstrate indicate suggest see have get go come take give make use say tell
    feel know think believe appear seem include continue currently current recent recently
    today yesterday time longer date day week month year hour old new sign symptom evidence
    condition problem issue concern finding result test level value measure measurement evaluation
    evaluate assess assessment plan treatment treat therapy manage management clinical care
    status associate relate consistent due secondary likely possible probable significant
    otherwise overall general generally daily able need want require recommend recommendation
    advise perform obtain order do undergo receive start begin place review follow return
    visit previously previous prior known experience occur develop remain notice observe
    diagnose diagnosis physical exam examination mention discuss understand agree regard view
    area region side site location locate various other additional additionally further term
    case way thing prescribe kind type detect exhibit try seek aim attempt intend provide
    utilize assist involve determine consider decide expect hope allow ensure aside nearby
    pretty mostly somewhat quite rather fairly really certainly especially particularly nearly
    almost along together couple several multiple numerous lot bit ups attend healthcare
    person people man woman male female doctor physician provider clinician someone individual
    rule ruled overnight morning evening night tonight noon afternoon never none without
    cannot well last since obvious acute active gross focal overt definite appreciable audible
    certain some respiratory cardiovascular musculoskeletal neurological neuro
    gastrointestinal genitourinary constitutional psychiatric heent msk reasoning education
    counseling disease disorder syndrome different common commonly usually often sometimes
    important possibly help cause lead affect"""
)
"""Stemmed by the lexicon; matched at a low weight."""
