extension ButtonTitles {
    /// Sign in, continue, sign up: in the order of ``ButtonKind``, by locale.
    ///
    /// The locales are those of Apple's page
    /// [Displaying Sign in with Apple on other platforms](https://developer.apple.com/documentation/signinwithapple/displaying-sign-in-with-apple-on-other-platforms).
    static let table: [String: [String]] = [
        "ar_SA": [
            "تسجيل الدخول باستخدام Apple", "المتابعة باستخدام Apple", "التسجيل باستخدام Apple",
        ],
        "ca_ES": ["Inicia sessió amb Apple", "Continua amb Apple", "Registra’t amb Apple"],
        "cs_CZ": ["Přihlásit se přes Apple", "Pokračovat přes Apple", "Registrovat se přes Apple"],
        "da_DK": ["Log ind med Apple", "Fortsæt med Apple", "Tilmeld dig med Apple"],
        "de_DE": ["Mit Apple anmelden", "Mit Apple fortfahren", "Mit Apple registrieren"],
        "el_GR": ["Σύνδεση μέσω Apple", "Συνέχεια μέσω Apple", "Εγγραφή μέσω Apple"],
        "en_GB": ["Sign in with Apple", "Continue with Apple", "Sign up with Apple"],
        "en_US": ["Sign in with Apple", "Continue with Apple", "Sign up with Apple"],
        "es_ES": ["Iniciar sesión con Apple", "Continuar con Apple", "Registrarse con Apple"],
        "es_MX": ["Iniciar sesión con Apple", "Continuar con Apple", "Registrarse con Apple"],
        "fi_FI": ["Kirjaudu Applella", "Jatka Applella", "Rekisteröidy Applella"],
        "fr_CA": ["Se connecter avec Apple", "Continuer avec Apple", "S’inscrire avec Apple"],
        "fr_FR": ["Se connecter avec Apple", "Continuer avec Apple", "S’inscrire avec Apple"],
        "hr_HR": ["Prijava uz Apple", "Nastavi uz Apple", "Registracija uz Apple"],
        "hu_HU": [
            "Bejelentkezés Apple-fiókkal", "Folytatás Apple-fiókkal", "Regisztráció Apple-fiókkal",
        ],
        "id_ID": ["Masuk dengan Apple", "Lanjutkan dengan Apple", "Daftar dengan Apple"],
        "it_IT": ["Accedi con Apple", "Continua con Apple", "Registrati con Apple"],
        "iw_IL": ["התחברות עם Apple", "המשך עם Apple", "הרשמה עם Apple"],
        "ja_JP": ["Appleでサインイン", "Appleで続ける", "Appleで登録"],
        "ko_KR": ["Apple로 로그인", "Apple로 계속하기", "Apple로 가입하기"],
        "ms_MY": ["Daftar masuk dengan Apple", "Teruskan dengan Apple", "Daftar dengan Apple"],
        "nl_NL": ["Log in met Apple", "Ga door met Apple", "Registreer met Apple"],
        "no_NO": ["Logg på med Apple", "Fortsett med Apple", "Registrer deg med Apple"],
        "pl_PL": [
            "Zaloguj się przez Apple", "Kontynuuj przez Apple", "Zarejestruj się przez Apple",
        ],
        "pt_BR": [
            "Iniciar sessão com a Apple", "Continuar com a Apple", "Registrar-se com a Apple",
        ],
        "pt_PT": ["Iniciar sessão com Apple", "Continuar com Apple", "Registar-se com Apple"],
        "ro_RO": ["Autentificare cu Apple", "Continuare cu Apple", "Înregistrare cu Apple"],
        "ru_RU": ["Вход с Apple", "Продолжить с Apple", "Регистрация с Apple"],
        "sk_SK": ["Prihlásiť sa cez Apple", "Pokračovať cez Apple", "Registrovať sa cez Apple"],
        "sv_SE": ["Logga in med Apple", "Fortsätt med Apple", "Registrera med Apple"],
        "th_TH": ["ลงชื่อเข้าด้วย Apple", "ดำเนินการต่อด้วย Apple", "ลงทะเบียนด้วย Apple"],
        "tr_TR": ["Apple ile giriş yap", "Apple ile devam et", "Apple ile kaydol"],
        "uk_UA": ["Вхід з Apple", "Продовжити з Apple", "Реєстрація з Apple"],
        "vi_VI": ["Đăng nhập bằng Apple", "Tiếp tục bằng Apple", "Đăng ký bằng Apple"],
        "zh_CN": ["通过 Apple 登录", "通过 Apple 继续", "通过 Apple 注册"],
        "zh_HK": ["透過 Apple 登入", "透過 Apple 繼續", "透過 Apple 註冊"],
        "zh_TW": ["透過 Apple 登入", "透過 Apple 繼續", "透過 Apple 註冊"],
    ]
}
