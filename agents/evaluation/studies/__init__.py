"""Studies: many configurations over the same data, laid out as papers lay them out."""
