import JuiceApp
import SimulatedAuthenticationServices

/// The device's user interface in the terminal: its sheets, alerts and Settings.
@MainActor final class DeviceSettings: SheetPresenter {
    nonisolated static let slowSeconds = 3

    private let conversation: Conversation
    private let keptDevice: KeptDevice
    /// The email address in the sign-in form.
    private let email: String
    private var problem: JuiceProblem?
    private var notice: String?

    init(conversation: Conversation, keptDevice: KeptDevice, offering email: String) {
        self.conversation = conversation
        self.keptDevice = keptDevice
        self.email = email
    }

    private var device: SimulatedDevice { keptDevice.device }

    /// Shows Settings until the user goes back.
    func open() async {
        problem = nil
        notice = nil
        while !conversation.hasEnded {
            guard let answer = await conversation.ask(await page()) else { continue }
            if answer.action == .back { return }
            problem = nil
            notice = nil
            do {
                try await perform(answer)
            } catch let error as SimulatedDeviceError {
                problem = Self.problem(error)
            } catch {
                problem = JuiceProblem(
                    sentence: "The device cannot write to its folder.",
                    nextStep: "Start siwa app with another folder: --data DIR.",
                    code: "not_kept"
                )
            }
        }
    }

    func present(_ sheet: AuthorizationSheet) async -> SheetAnswer {
        SheetPages.answer(await conversation.ask(SheetPages.page(of: sheet)), to: sheet)
    }

    func show(_ alert: SystemAlert) async {
        let answer = await conversation.ask(SheetPages.page(of: alert))
        if answer?.action == .openSettings { await open() }
    }

    private func page() async -> TerminalPage<SettingsPages.Action> {
        var apps: [UsedApp] = []
        if device.account != nil {
            do throws(SimulatedDeviceError) {
                apps = try await device.usedApps()
            } catch {
                problem = problem ?? Self.problem(error)
            }
        }
        var page = SettingsPages.page(
            account: device.account,
            offering: email,
            apps: apps,
            switches: device.switches,
            passwordUsers: keptDevice.passwordUsers
        )
        page.problem = problem
        page.notice = notice
        return page
    }

    private func perform(_ answer: PageAnswer<SettingsPages.Action>) async throws {
        switch answer.action {
        case .signIn:
            try await device.signIn(
                email: answer[FieldName.email],
                password: answer.values[FieldName.password] ?? ""
            )
            try keptDevice.keepAccount()
        case .signOut:
            device.signOut()
            try keptDevice.keepAccount()
        case .stopUsing(let app):
            try await device.stopUsing(app)
            notice = "The app no longer uses your Apple Account."
        case .setForwarding(let isOn, let app): try await device.setForwarding(isOn, for: app)
        case .setTwoFactor(let isOn): device.switches.hasTwoFactor = isOn ? nil : false
        case .setSlow(let isSlow):
            device.switches.delay = isSlow ? .seconds(Self.slowSeconds) : .zero
        case .removePassword(let user): try keptDevice.removePassword(for: user)
        case .back: break
        }
    }

    private static func problem(_ error: SimulatedDeviceError) -> JuiceProblem {
        let sentence = error.description
        return JuiceProblem(
            sentence: sentence.prefix(1).uppercased() + sentence.dropFirst() + ".",
            nextStep: "Check your input, and that siwa demo is running; then try again.",
            code: "device"
        )
    }
}
