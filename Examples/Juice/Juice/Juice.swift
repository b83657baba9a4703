import Foundation
import JuiceApp
import SignInKit
import SignInKitUI

/// Creates the app's model and its client with the settings of Info.plist.
@MainActor enum Juice {
    static func makeModel() -> JuiceModel {
        let client = SignInClient(
            // Without a server URL, every sign-in fails and reports that the app is not set up.
            configuration: SignInConfiguration(
                server: address("JuiceServer") ?? URL(filePath: "/")
            ),
            authorization: authorization,
            credentials: KeychainCredentialStore(service: "com.example.juice"),
            transport: URLSessionTransport()
        )
        return JuiceModel(client: client)
    }

    /// Apple's own sheet, or the emulator if Info.plist names one.
    private static var authorization: any AuthorizationService {
        // A UI test names the emulator in the launch environment.
        if let emulated = EmulatorAuthorization(app: "com.example.juice") { return emulated }
        guard let emulator = address("JuiceEmulator") else {
            return SystemAuthorization(anchor: { KeyWindow.anchor })
        }
        return EmulatorAuthorization(
            control: emulator,
            app: "com.example.juice",
            email: "maya@example.com"
        )
    }

    private static func address(_ name: String) -> URL? {
        let text = Bundle.main.object(forInfoDictionaryKey: name) as? String
        return text.flatMap { URL(string: $0) }
    }
}
