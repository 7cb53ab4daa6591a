"""Running a data set through the real pipeline, in this process: intake, index, search, models."""
