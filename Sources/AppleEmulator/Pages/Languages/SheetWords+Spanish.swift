extension SheetWords {
    static let spanish = SheetWords(
        [
            .banner: "Emulador de Apple: no es Apple",
            .errorTitle: "Error",
            .continueButton: "Continuar",
            .cancelButton: "Cancelar",
            .otherAccountButton: "Usar otra cuenta",
            .signInHeading: "Iniciar sesión en {app}",
            .signInLead: "Usa tu cuenta de Apple. No hace falta otra contraseña.",
            .emailAddress: "Dirección de correo",
            .password: "Contraseña",
            .signInButton: "Iniciar sesión",
            .hintLabel: "Nota del emulador",
            .peopleHeading: "Personas de este emulador",
            .passwordHint: "Su contraseña es {password}, salvo que el archivo inicial diga otra.",
            .chooserHeading: "¿Quién inicia sesión en {app}?",
            .chooserLead: "Estas personas tienen la sesión abierta en este navegador.",
            .signOutButton: "Cerrar la sesión de todas las cuentas",
            .twoFactorTitle: "Autenticación de doble factor",
            .twoFactorHeading: "Introduce el código de verificación",
            .twoFactorLead:
                "Se ha enviado un código a los dispositivos de {email}. Escríbelo aquí para "
                + "seguir hacia {app}.",
            .deviceHeading: "Dispositivo de confianza, simulado por el emulador",
            .sixDigits: "Seis cifras",
            .consentTitle: "Usar tu cuenta con {app}",
            .consentHeading: "¿Crear una cuenta para {app}?",
            .consentLead: "Iniciarás sesión con tu cuenta de Apple {email}.",
            .asksNothing: "La app no conocerá ni tu nombre ni tu dirección.",
            .privacyHeading: "Datos y privacidad",
            .privacyText:
                "Es tu primera app con esta cuenta. Solo sabrá lo que permitas aquí, y puedes "
                + "dejar de usarla cuando quieras.",
            .name: "Nombre",
            .givenName: "Nombre de pila",
            .familyName: "Apellidos",
            .undoNameButton: "Deshacer los cambios del nombre",
            .email: "Correo electrónico",
            .shareEmail: "Compartir mi correo",
            .sharedAddress: "Dirección que se comparte",
            .hideEmail: "Ocultar mi correo",
            .hideEmailText:
                "La app recibe una dirección aleatoria. Sus mensajes llegan a la tuya hasta "
                + "que lo desactives.",
            .managedText: "Tu organización gestiona esta cuenta. Su dirección no se puede ocultar.",
            .lacksEmailText:
                "Esta cuenta no tiene dirección de correo, así que la app no recibe ninguna.",
            .unverifiedText: "Esta dirección no está verificada.",
            .returningTitle: "Continuar hacia {app}",
            .returningHeading: "¿Iniciar sesión en {app}?",
            .returningLead: "Ya has usado esta app con tu cuenta de Apple.",
            .formPostHeading: "Volviendo a {app}",
            .formPostLead: "La respuesta va a {host}. Pulsa el botón si no ocurre nada.",
            .webMessageLead: "La respuesta va a la página de {origin} que abrió esta ventana.",
            .webMessageNeedsScript:
                "Esta ventana solo puede responder con un script: permite los scripts.",
            .failureHeading: "No se puede iniciar sesión",
            .hintHeading: "Lo que sabe el emulador",
            .wrongPassword: "La cuenta de Apple o la contraseña no es correcta.",
            .wrongDigits: "El código de verificación no es correcto.",
            .stepNotPossible: "Ese paso no es posible ahora.",
            .nameTooLong: "Un nombre puede tener {count} caracteres como máximo.",
            .consentUnanswered: "Elige lo que esta app puede saber de ti.",
            .emailChoiceWrong: "Elige si la dirección se comparte o se oculta.",
            .signInOver: "Este inicio de sesión ha terminado.",
            .otherSite: "Este formulario viene de otro sitio.",
            .otherBrowser: "Este inicio de sesión empezó en otro navegador.",
            .tooManyAttempts: "Demasiados intentos.",
        ]
    )
}
