"""What a text leaves out: the salient facts of a chart, held against the text."""
