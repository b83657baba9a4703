enum AccountsSQLitePlaceholder {}
