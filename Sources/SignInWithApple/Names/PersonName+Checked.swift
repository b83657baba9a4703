import AppleIdentity

extension PersonName {
    /// The most characters of a name, both parts together.
    package static let maximumCharacterCount = 200

    /// The name as it may be stored and shown: within its limits, without invisible characters.
    ///
    /// - Returns: the name; nil when nothing visible is left of it.
    package func checked() throws(SignInError) -> PersonName? {
        guard DisplayText.fits(displayName, maximumCharacterCount: Self.maximumCharacterCount)
        else {
            throw SignInError(
                .nameTooLong,
                hint: "the limit is \(Self.maximumCharacterCount) characters and "
                    + "\(DisplayText.maximumByteCount(ofCharacters: Self.maximumCharacterCount)) bytes"
            )
        }
        let name = cleaned
        return name.isEmpty ? nil : name
    }

    /// The name without what nobody can see.
    package var cleaned: PersonName {
        PersonName(
            givenName: givenName.flatMap(DisplayText.cleaned),
            familyName: familyName.flatMap(DisplayText.cleaned)
        )
    }
}
