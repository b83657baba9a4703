extension SheetWords {
    static let german = SheetWords(
        [
            .banner: "Emulator von Apple: nicht Apple",
            .errorTitle: "Fehler",
            .continueButton: "Fortfahren",
            .cancelButton: "Abbrechen",
            .otherAccountButton: "Anderen Account verwenden",
            .signInHeading: "Bei {app} anmelden",
            .signInLead: "Nimm deinen Apple Account. Ein neues Passwort brauchst du nicht.",
            .emailAddress: "E-Mail-Adresse",
            .password: "Passwort",
            .signInButton: "Anmelden",
            .hintLabel: "Hinweis des Emulators",
            .peopleHeading: "Personen in diesem Emulator",
            .passwordHint: "Ihr Passwort ist {password}, wo der Seed kein anderes nennt.",
            .chooserHeading: "Wer meldet sich bei {app} an?",
            .chooserLead: "Diese Personen sind in diesem Browser angemeldet.",
            .signOutButton: "Alle abmelden",
            .twoFactorTitle: "Zwei-Faktor-Authentifizierung",
            .twoFactorHeading: "Gib den Bestätigungscode ein",
            .twoFactorLead:
                "An die Geräte von {email} ging ein Code. Gib ihn hier ein, dann geht es "
                + "weiter zu {app}.",
            .deviceHeading: "Vertrautes Gerät, gespielt vom Emulator",
            .sixDigits: "Sechs Ziffern",
            .consentTitle: "Deinen Account mit {app} verwenden",
            .consentHeading: "Einen Account für {app} anlegen?",
            .consentLead: "Du meldest dich mit deinem Apple Account {email} an.",
            .asksNothing: "Die App erfährt weder deinen Namen noch deine Adresse.",
            .privacyHeading: "Daten & Datenschutz",
            .privacyText:
                "Das ist deine erste App mit diesem Account. Sie erfährt, was du hier "
                + "erlaubst, und sonst nichts; du kannst jederzeit damit aufhören.",
            .name: "Name",
            .givenName: "Vorname",
            .familyName: "Nachname",
            .undoNameButton: "Namen zurücksetzen",
            .email: "E-Mail",
            .shareEmail: "E-Mail-Adresse teilen",
            .sharedAddress: "Adresse, die geteilt wird",
            .hideEmail: "E-Mail-Adresse verbergen",
            .hideEmailText:
                "Die App bekommt eine Zufallsadresse. Ihre Nachrichten werden an deine "
                + "weitergeleitet, bis du das abschaltest.",
            .managedText:
                "Deine Organisation verwaltet diesen Account. Seine Adresse lässt sich nicht "
                + "verbergen.",
            .lacksEmailText: "Dieser Account hat keine E-Mail-Adresse; die App bekommt also keine.",
            .unverifiedText: "Diese Adresse ist nicht bestätigt.",
            .returningTitle: "Weiter zu {app}",
            .returningHeading: "Bei {app} anmelden?",
            .returningLead: "Du hast diese App schon mit deinem Apple Account benutzt.",
            .formPostHeading: "Zurück zu {app}",
            .formPostLead: "Die Antwort geht an {host}. Drücke den Knopf, wenn nichts geschieht.",
            .webMessageLead:
                "Die Antwort geht an die Seite von {origin}, "
                + "die dieses Fenster geöffnet hat.",
            .webMessageNeedsScript:
                "Dieses Fenster kann nur mit einem Skript antworten: Erlaube Skripte.",
            .failureHeading: "Anmeldung nicht möglich",
            .hintHeading: "Was der Emulator weiß",
            .wrongPassword: "Apple Account oder Passwort ist falsch.",
            .wrongDigits: "Der Bestätigungscode ist falsch.",
            .stepNotPossible: "Dieser Schritt ist jetzt nicht möglich.",
            .nameTooLong: "Ein Name kann höchstens {count} Zeichen haben.",
            .consentUnanswered: "Wähle, was diese App über dich wissen darf.",
            .emailChoiceWrong: "Wähle, ob die Adresse geteilt oder verborgen wird.",
            .signInOver: "Diese Anmeldung ist vorbei.",
            .otherSite: "Dieses Formular kam von einer anderen Website.",
            .otherBrowser: "Diese Anmeldung wurde in einem anderen Browser begonnen.",
            .tooManyAttempts: "Zu viele Versuche.",
        ]
    )
}
