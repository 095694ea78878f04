"""Papers: what a proposal, quotation or build sheet says, and its PDF, XLSX and Markdown."""
