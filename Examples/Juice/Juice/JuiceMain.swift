import SwiftUI

/// Juice: Sign in with Apple and a password, one account, on all devices.
@main
struct JuiceMain: App {
    @State private var model = Juice.makeModel()

    var body: some Scene {
        WindowGroup {
            JuiceScreens(model: model)
        }
    }
}
