extension AccountsService {
    /// A name that a client can correct: one that is too long is refused.
    func acceptableName(_ text: String?) throws(AccountsError) -> String? {
        guard let text else { return nil }
        let characterCountMax = configuration.nameCharacterCountMax
        guard DisplayText.fits(text, characterCountMax: characterCountMax) else {
            throw .nameTooLong(characterCountMax: characterCountMax)
        }
        return DisplayText.cleaned(text)
    }

    /// A name that comes from Apple's page, where refusing it would help nobody: it comes only once.
    func clippedName(_ text: String?) -> String? {
        text.map {
            DisplayText.clipped($0, characterCountMax: configuration.nameCharacterCountMax)
        }
        .flatMap(DisplayText.cleaned)
    }

    func deviceName(_ text: String) -> String {
        let clipped = DisplayText.clipped(
            text,
            characterCountMax: configuration.deviceCharacterCountMax
        )
        return DisplayText.cleaned(clipped) ?? ""
    }
}
