import SignInKit
import SignInKitUI
import SwiftUI

/// Juice: Sign in with Apple and a password, one account, on all devices.
@main
struct JuiceApp: App {
    @State private var juice = Juice()

    var body: some Scene {
        WindowGroup {
            SignInGate("Juice", model: juice.model) { person in
                Text("Hello, \(person.account.name ?? "whoever you are")!")
            }
        }
    }
}
