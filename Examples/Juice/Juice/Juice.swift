import Foundation
import JuiceApp
import SignInKit
import SignInKitUI

/// Creates the app's model and its session with the settings of Info.plist.
@MainActor enum Juice {
    static func makeModel() -> JuiceModel {
        // Without a server URL, every sign-in fails and reports that the app is not set up.
        let server = text("JuiceServer") ?? ""
        return JuiceModel(session: SignInSession(server: server, authorization: authorization))
    }

    /// Apple's own sheet, or the emulator if Info.plist names one.
    private static var authorization: any AuthorizationService {
        // A UI test names the emulator in the launch environment.
        if let emulated = EmulatorAuthorization(app: "com.example.juice") { return emulated }
        guard let emulator = text("JuiceEmulator").flatMap({ URL(string: $0) }) else {
            return SystemAuthorization()
        }
        return EmulatorAuthorization(
            control: emulator,
            app: "com.example.juice",
            email: "maya@example.com"
        )
    }

    private static func text(_ name: String) -> String? {
        Bundle.main.object(forInfoDictionaryKey: name) as? String
    }
}
