"""Abbreviations with a full stop, by what the stop can mean."""

from __future__ import annotations

from chartproof_decomposer.lexicon import words

ALWAYS = words(
    "dr mr mrs ms prof rev st ste vs e.g i.e eg ie cf fig figs approx etal al ca resp dept univ "
    "dhr mevr sra dra srta mme mlle bzw ggf evtl bspw usw inkl ggü v.a z.n z.b d.h u.a "
    "o.b bv bijv o.a i.v.m m.n t.g.v p.ej aprox dott "
    "assoc inc ltd capt col gen lt sgt staph strep hx dx tx rx sx fx mt incl excl esp"
)
"""Never the end of a sentence when more follows."""

OFTEN = words(
    "pt pts mg mcg gm gms kg ml cc cm mm in ft lb lbs oz hr hrs min mins sec secs wk wks mo mos yr "
    "yrs tab tabs cap caps inj susp soln supp q.d q.h.s q.o.d b.i.d t.i.d q.i.d p.o i.v i.m s.c "
    "p.r.n h.s a.c p.c n.p.o a.m p.m ad lib temp wt ht abd ext neuro cont max avg est dept jr sr "
    "etc jan feb mar apr jun jul aug sept sep oct nov dec mon tue tues wed thu thurs fri sat sun "
    "bid tid qid qd prn po iv bilat med meds lab labs eval exam m.d ph.d r.n d.o u.s"
)
"""The end when a capital follows, unless the word stands alone before it."""

BEFORE_NUMBER = words("no nos fig figs vol p pp sec ch q approx ca grade stage type room rm bed")
"""Not the end before a number: "No. 5"."""

AGES = words("y.o m.o")
"""The end only before a word that opens a sentence: "67 y.o. F"."""

LETTERED = words("vitamin hepatitis type group class stage grade factor influenza protein child")
"""Words whose single letter is a name: "hepatitis C. He"."""

STARTERS = words(
    "the a an he she they we i it there this his her their patient pt no denies denied will "
    "continue on in at after mr mrs ms dr his when since exam however today recommend plan "
    "follow plan: she's he's family past history"
)
"""Words that open a sentence often enough to settle a doubt."""
