extension AccountsService {
    /// A name that a client can correct: one that is too long is refused.
    func acceptableName(_ text: String?) throws(AccountsError) -> String? {
        guard let text else { return nil }
        let maximumCharacterCount = configuration.maximumNameCharacterCount
        guard DisplayText.fits(text, maximumCharacterCount: maximumCharacterCount) else {
            throw .nameTooLong(maximumCharacterCount: maximumCharacterCount)
        }
        return DisplayText.cleaned(text)
    }

    /// A name that comes from Apple's page, where refusing it would help nobody: it comes only once.
    func clippedName(_ text: String?) -> String? {
        text.map {
            DisplayText.clipped($0, maximumCharacterCount: configuration.maximumNameCharacterCount)
        }
        .flatMap(DisplayText.cleaned)
    }

    func deviceName(_ text: String) -> String {
        let clipped = DisplayText.clipped(
            text,
            maximumCharacterCount: configuration.maximumDeviceCharacterCount
        )
        return DisplayText.cleaned(clipped) ?? ""
    }
}
