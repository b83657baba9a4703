import JuiceApp
import Observation
import SimulatedAuthenticationServices

/// One run of `siwa app`, which shows the app's pages and performs the user's actions.
@MainActor final class AppSession {
    private let model: JuiceModel
    private let keptDevice: KeptDevice
    private let conversation: Conversation
    private let settings: DeviceSettings
    private let audience: String?
    /// The screen whose page waits for an action; nil if none does.
    private var askedScreen: JuiceScreen?

    init(
        model: JuiceModel,
        keptDevice: KeptDevice,
        conversation: Conversation,
        settings: DeviceSettings,
        audience: String?
    ) {
        self.model = model
        self.keptDevice = keptDevice
        self.conversation = conversation
        self.settings = settings
        self.audience = audience
    }

    /// Runs until the user quits or the input ends; `setsUpDevice` first opens Settings on a device without an account.
    func run(setsUpDevice: Bool) async {
        let watching = Task { [device = keptDevice.device] in await device.watch() }
        defer { watching.cancel() }
        follow()
        if setsUpDevice, keptDevice.device.account == nil { await settings.open() }
        conversation.showBusy()
        await model.start()
        // A printed page cannot change when the server answers.
        await model.refresh()
        while !conversation.hasEnded {
            askedScreen = model.screen
            let answer = await conversation.ask(JuicePages.page(of: model, audience: audience))
            askedScreen = nil
            guard let answer else { continue }
            if answer.action == .quit { return }
            if !answer.action.isImmediate { conversation.showBusy() }
            await perform(answer)
        }
    }

    /// Shows the next screen when the app changes it by itself, for example after a session ended elsewhere.
    private func follow() {
        withObservationTracking {
            _ = model.screen
        } onChange: { [weak self] in
            Task { await self?.screenChanged() }
        }
    }

    private func screenChanged() {
        follow()
        if let askedScreen, askedScreen != model.screen { conversation.interrupt() }
    }

    private func perform(_ answer: PageAnswer<JuiceAction>) async {
        switch answer.action {
        case .openSettings: await settings.open()
        case .quit: break
        case .signIn, .createAccount: await signInWithPassword(answer)
        case .rename: await model.rename(to: answer[FieldName.name])
        case .changePassword: await changePassword(answer)
        case .confirm: await model.confirm(password: answer.values[FieldName.password] ?? "")
        case .endSession(let id): await model.endSession(id)
        case .showCreateAccount: model.showCreateAccount()
        case .showLogin: model.showLogin()
        case .showResult: model.showResult()
        case .showName: model.showName()
        case .showPassword: model.showPassword()
        case .showDeletion: model.showDeletion()
        case .showSecureTask: model.showSecureTask()
        case .leaveConfirmation: model.leaveConfirmation()
        case .signInWithApple: await model.signInWithApple()
        case .useStoredPassword: await model.signInWithStoredPassword()
        case .useBrowser: await model.signInWithBrowser()
        case .showAccount: await model.showAccount()
        case .showSessions: await model.showSessions()
        case .endOtherSessions: await model.endOtherSessions()
        case .linkApple: await model.linkApple()
        case .unlinkApple: await model.unlinkApple()
        case .deleteAccount: await model.deleteAccount()
        case .runSecureTask: await model.runSecureTask()
        case .runSecureTaskFresh: await model.runSecureTask(requiresFreshSignIn: true)
        case .signOut: await model.signOut()
        case .showAccessToken: if let audience { await model.showAccessToken(for: audience) }
        case .answerAttention: await model.answerAttention()
        }
    }

    private func changePassword(_ answer: PageAnswer<JuiceAction>) async {
        let new = answer.values[FieldName.newPassword] ?? ""
        if let username = answer.values[FieldName.username] {
            await model.setPassword(username: username, new: new)
        } else {
            let current = answer.values[FieldName.password] ?? ""
            await model.changePassword(current: current, new: new)
        }
    }

    private func signInWithPassword(_ answer: PageAnswer<JuiceAction>) async {
        let user = answer[FieldName.username]
        let password = answer.values[FieldName.password] ?? ""
        if answer.action == .signIn {
            await model.signIn(username: user, password: password)
        } else {
            let name = answer[FieldName.name]
            await model.createAccount(username: user, password: password, name: name)
        }
        guard case .result = model.screen, !keptDevice.has(password, for: user) else { return }
        await offerToSave(password, of: user)
    }

    /// Offers to save a password, as a phone does after a sign-in with a new one.
    private func offerToSave(_ password: String, of user: String) async {
        let page = TerminalPage<Bool>(
            title: "Save the password?",
            speaker: .device,
            items: [
                .text("The device can save the password of \(user), and offer it the next time."),
                .action(label: "Save", true),
                .action(label: "Not now", false),
            ]
        )
        if await conversation.ask(page)?.action == true {
            try? keptDevice.store(password, for: user)
        }
    }
}
