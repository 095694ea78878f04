"""Renders a paper's content to PDF with ReportLab: own line breaking, flow and tables, vector charts."""
