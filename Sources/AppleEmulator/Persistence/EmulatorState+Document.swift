import AppleIdentity
import Foundation

extension EmulatorState {
    /// All that is kept: not the log of requests, nor sheets that are open.
    var document: StateDocument {
        var document = StateDocument()
        document["clock"] = ["offset_seconds": .number(clock.offset)]
        writeRegistrations(to: &document)
        writePeople(to: &document)
        writeGrants(to: &document)
        writeTransfers(to: &document)
        writeBrowsers(to: &document)
        writeBehaviour(to: &document)
        writeNotifications(to: &document)
        writeMail(to: &document)
        return document
    }

    /// What a document says, of an Apple that is configured and seeded as this one.
    ///
    /// - Throws: ``ControlRefusal`` naming the entry and field that is wrong.
    func restored(from document: StateDocument) throws(ControlRefusal) -> EmulatorState {
        let fields = try document.fields()
        // Switches are set back to this Apple's own, whatever the document's was seeded with.
        var state = try EmulatorState(
            seed: Seed(switches: seededSwitches.object),
            configuration: configuration,
            signingKeys: try SigningKeyRing(document),
            time: clock.source
        )
        try state.readClock(fields)
        try state.readRegistrations(document)
        try state.readPeople(document, fields)
        try state.readGrants(document)
        try state.readTransfers(document, fields)
        try state.readBrowsers(document)
        try state.readBehaviour(document, fields)
        try state.readNotifications(document, fields)
        try state.readMail(document, fields)
        return state
    }

    private mutating func readClock(_ fields: FieldReader) throws(ControlRefusal) {
        guard let object = try fields.optionalObject("clock") else { return }
        do throws(ControlRefusal) {
            let field = "offset_seconds"
            try clock.move(to: FieldReader(object, known: [field]).number(field), field: field)
        } catch {
            throw error.within("clock")
        }
    }
}
