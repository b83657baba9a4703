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
                TabView {
                    ResultScreen(person: person, model: juice.model)
                        .tabItem { Label("You", systemImage: "person.crop.circle") }
                    SecureTaskScreen(client: juice.client)
                        .tabItem { Label("Secret", systemImage: "lock") }
                    AccountScreen(person, model: juice.model)
                        .tabItem { Label("Account", systemImage: "gearshape") }
                }
            }
        }
    }
}
