"""One module for each kind of source that states facts; `facts.extract` runs those that fit a document."""
