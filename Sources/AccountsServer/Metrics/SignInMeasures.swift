import Accounts
import CoreMetrics
import SignInWithApple
import Synchronization

/// Counts sign-ins by way and outcome.
final class SignInMeasures: Sendable {
    /// How a person comes in.
    enum Way: String, CaseIterable, Sendable {
        /// By the sheet of an app.
        case appleNative = "apple_native"
        /// By Apple's page, also to link an account or to confirm who is signed in.
        case appleWeb = "apple_web"
        /// By the sheet of an app, to link an account.
        case appleLink = "apple_link"
        /// By username and password.
        case password
        /// By making an account with a password.
        case newAccount = "new_account"
        /// By the code with which the browser came back to an app.
        case appCode = "app_code"
    }

    /// What a sign-in without a refusal is called.
    static let success = "ok"
    /// What a refusal is called that says nothing of signing in, as that of a form with a field too many.
    static let otherRefusal = "other"
    /// The codes that are told by their names; no request can add one.
    private static let codes: Set<String> = Set(AccountsError.Code.allCases.map(\.rawValue))
        .union(SignInError.Code.all.map(\.rawValue))

    private let metrics: any MetricsFactory
    private let successes: [Way: Counter]
    private let refusals = Mutex<[String: Counter]>([:])

    init(_ metrics: any MetricsFactory) {
        self.metrics = metrics
        successes = Dictionary(
            uniqueKeysWithValues: Way.allCases.map { ($0, Self.counter($0, Self.success, metrics)) }
        )
    }

    func countSuccess(_ way: Way) { successes[way]?.increment() }

    func countRefusal(_ way: Way, _ code: String) {
        let outcome = Self.codes.contains(code) ? code : Self.otherRefusal
        let counter = refusals.withLock { refusals in
            let name = "\(way.rawValue) \(outcome)"
            let counter = refusals[name] ?? Self.counter(way, outcome, metrics)
            refusals[name] = counter
            return counter
        }
        counter.increment()
    }

    private static func counter(
        _ way: Way,
        _ outcome: String,
        _ metrics: any MetricsFactory
    ) -> Counter {
        Counter(
            label: "siwa_sign_ins_total",
            dimensions: [("way", way.rawValue), ("outcome", outcome)],
            factory: metrics
        )
    }
}

/// Signing in, counted by how it ends.
extension ServerParts {
    func signIn(_ candidate: PasswordCandidate) async throws(AccountsError) -> SignInReceipt {
        try await counting(.password) { () async throws(AccountsError) in
            try await accounts.signIn(candidate)
        }
    }

    func signIn(_ candidate: AppCodeCandidate) async throws(AccountsError) -> SignInReceipt {
        try await counting(.appCode) { () async throws(AccountsError) in
            try await accounts.signIn(candidate)
        }
    }

    func createAccount(
        _ registration: PasswordRegistration
    ) async throws(AccountsError) -> SignInReceipt {
        try await counting(.newAccount) { () async throws(AccountsError) in
            try await accounts.createAccount(registration)
        }
    }

    private func counting(
        _ way: SignInMeasures.Way,
        _ signIn: () async throws(AccountsError) -> SignInReceipt
    ) async throws(AccountsError) -> SignInReceipt {
        do {
            let receipt = try await signIn()
            signIns.countSuccess(way)
            return receipt
        } catch {
            signIns.countRefusal(way, error.code.rawValue)
            throw error
        }
    }
}
