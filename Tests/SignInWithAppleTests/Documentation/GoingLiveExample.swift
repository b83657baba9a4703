import Logging
import SignInWithApple

/// The code of the article about going live; the tidy tests compare the two.
enum GoingLiveExample {
    static func configuration(p8: String) throws -> AppleSignIn.Configuration {
        let key = try ClientSecretKey(pem: p8, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
        let configuration = AppleSignIn.Configuration(
            appIDs: ["com.example.juice"],
            servicesIDs: ["com.example.juice.web"],
            key: key
        )
        return configuration
    }

    static func tell(_ error: SignInError, to logger: Logger) {
        for cause in error.causes {
            logger.error(
                "\(cause.explanation)",
                metadata: ["cause": "\(cause.code)", "remedy": "\(cause.remedy)"]
            )
        }
    }
}
