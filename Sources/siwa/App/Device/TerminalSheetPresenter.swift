import SimulatedAuthenticationServices

/// Asks the person at the terminal what they do with the device's sheets.
@MainActor final class TerminalSheetPresenter: SheetPresenter {
    private let face: any Face
    private let settings: DeviceSettings

    init(face: any Face, settings: DeviceSettings) {
        self.face = face
        self.settings = settings
    }

    func present(_ sheet: AuthorizationSheet) async -> SheetAnswer {
        SheetPages.answer(await face.ask(SheetPages.page(of: sheet)), to: sheet)
    }

    func show(_ alert: SystemAlert) async {
        let answer = await face.ask(SheetPages.page(of: alert))
        if answer?.action == .openSettings { await settings.open() }
    }
}
