enum AccountsServerPlaceholder {}
