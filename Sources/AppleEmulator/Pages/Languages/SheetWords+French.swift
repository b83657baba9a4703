extension SheetWords {
    static let french = SheetWords(
        [
            .banner: "Émulateur d’Apple : ce n’est pas Apple",
            .errorTitle: "Erreur",
            .continueButton: "Continuer",
            .cancelButton: "Annuler",
            .otherAccountButton: "Utiliser un autre compte",
            .signInHeading: "Se connecter à {app}",
            .signInLead:
                "Servez-vous de votre compte Apple. Aucun nouveau mot de passe n’est "
                + "nécessaire.",
            .emailAddress: "Adresse e-mail",
            .password: "Mot de passe",
            .signInButton: "Se connecter",
            .hintLabel: "Indication de l’émulateur",
            .peopleHeading: "Personnes dans cet émulateur",
            .passwordHint:
                "Leur mot de passe est {password}, sauf si le fichier de départ en donne un "
                + "autre.",
            .chooserHeading: "Qui se connecte à {app} ?",
            .chooserLead: "Ces personnes sont connectées dans ce navigateur.",
            .signOutButton: "Déconnecter tous les comptes",
            .twoFactorTitle: "Authentification à deux facteurs",
            .twoFactorHeading: "Saisissez le code de validation",
            .twoFactorLead:
                "Un code a été envoyé aux appareils de {email}. Saisissez-le ici pour aller "
                + "vers {app}.",
            .deviceHeading: "Appareil de confiance, joué par l’émulateur",
            .sixDigits: "Six chiffres",
            .consentTitle: "Utiliser votre compte avec {app}",
            .consentHeading: "Créer un compte pour {app} ?",
            .consentLead: "Vous vous connecterez avec votre compte Apple {email}.",
            .asksNothing: "L’app n’apprend ni votre nom ni votre adresse.",
            .privacyHeading: "Données et confidentialité",
            .privacyText:
                "C’est votre première app avec ce compte. Elle n’apprend que ce que vous "
                + "autorisez ici, et vous pouvez y renoncer à tout moment.",
            .name: "Nom",
            .givenName: "Prénom",
            .familyName: "Nom de famille",
            .undoNameButton: "Rétablir le nom",
            .email: "E-mail",
            .shareEmail: "Partager mon adresse",
            .sharedAddress: "Adresse à partager",
            .hideEmail: "Masquer mon adresse",
            .hideEmailText:
                "L’app reçoit une adresse aléatoire. Ses messages sont relayés vers la vôtre "
                + "jusqu’à ce que vous l’arrêtiez.",
            .managedText:
                "Votre organisation gère ce compte. Son adresse ne peut pas être masquée.",
            .lacksEmailText: "Ce compte n’a pas d’adresse e-mail ; l’app n’en reçoit donc pas.",
            .unverifiedText: "Cette adresse n’est pas vérifiée.",
            .returningTitle: "Continuer vers {app}",
            .returningHeading: "Se connecter à {app} ?",
            .returningLead: "Vous avez déjà utilisé cette app avec votre compte Apple.",
            .formPostHeading: "Retour vers {app}",
            .formPostLead:
                "La réponse part vers {host}. Appuyez sur le bouton si rien ne se passe.",
            .webMessageLead: "La réponse va à la page de {origin} qui a ouvert cette fenêtre.",
            .webMessageNeedsScript:
                "Cette fenêtre ne peut répondre que par un script : autorisez les scripts.",
            .failureHeading: "Connexion impossible",
            .hintHeading: "Ce que sait l’émulateur",
            .wrongPassword: "Le compte Apple ou le mot de passe est incorrect.",
            .wrongDigits: "Le code de validation est incorrect.",
            .stepNotPossible: "Cette étape n’est pas possible maintenant.",
            .nameTooLong: "Un nom peut avoir {count} caractères au plus.",
            .consentUnanswered: "Choisissez ce que cette app peut savoir de vous.",
            .emailChoiceWrong: "Choisissez de partager ou de masquer l’adresse.",
            .signInOver: "Cette connexion est terminée.",
            .otherSite: "Ce formulaire vient d’un autre site.",
            .otherBrowser: "Cette connexion a commencé dans un autre navigateur.",
            .tooManyAttempts: "Trop de tentatives.",
        ]
    )
}
