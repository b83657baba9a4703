import Accounts
import CoreMetrics
import Hummingbird
import SignInWithApple
import Synchronization

/// Counts sign-ins by method and outcome.
final class SignInMeasures: Sendable {
    /// How a user signs in.
    enum Way: String, CaseIterable, Sendable {
        /// With Apple's sheet in an app.
        case appleNative = "apple_native"
        /// With the token of a Services ID at the API, such as the one of Apple's popup.
        case appleToken = "apple_token"
        /// With Apple's web page, including to link an Apple Account or to reauthenticate.
        case appleWeb = "apple_web"
        /// With Apple's sheet in an app, to link an Apple Account.
        case appleLink = "apple_link"
        /// With username and password.
        case password
        /// By creating an account with a password.
        case newAccount = "new_account"
        /// With the code that the browser returned to an app.
        case appCode = "app_code"
    }

    /// The outcome of a sign-in without an error.
    static let success = "ok"
    /// The outcome of all other errors, such as that of a form with an unknown field.
    static let otherRefusal = "other"
    /// The codes that are label values; a request cannot add one.
    static let codes: Set<String> = Set(AccountsError.Code.allCases.map(\.rawValue))
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

/// Sign-ins that are counted by their outcome.
extension ServerParts {
    func signIn(
        _ username: String,
        _ password: String,
        _ request: Request,
        _ context: ServerContext
    ) async throws(AccountsError) -> SignInReceipt {
        try await counting(.password) { () async throws(AccountsError) in
            try await accounts.signIn(username, password, client: client(of: request, context))
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
