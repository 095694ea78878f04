"""Units, money, currency, exchange rate and tax basis."""
