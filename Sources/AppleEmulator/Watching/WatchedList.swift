import AppleIdentity
import Foundation

/// A list that grows, whose items have increasing numbers.
package enum WatchedList: Sendable {
    /// The requests to Apple's port.
    case requests
    /// The notifications to developers' servers.
    case notifications
    /// The mail of a person; everybody's with nil.
    case mail(person: String?)
}

/// The items of a list behind a number.
enum ListItems {
    /// Items as they are answered.
    case objects(name: String, [JSONObject], lastNumber: Int)
    /// Mail, which is large and so encoded outside of the actor.
    case mail(MailList, lastNumber: Int)

    var isEmpty: Bool {
        switch self {
        case .objects(_, let objects, _): objects.isEmpty
        case .mail(let list, _): list.isEmpty
        }
    }

    /// The items, and the highest number that was given.
    var object: JSONObject {
        switch self {
        case .objects(let name, let objects, let lastNumber):
            return [name: .array(objects.map { .object($0) }), "last_number": .integer(lastNumber)]
        case .mail(let list, let lastNumber):
            var object = list.object
            object["last_number"] = .integer(lastNumber)
            return object
        }
    }
}

extension EmulatorState {
    /// What a list has behind a number.
    func items(of list: WatchedList, after number: Int) throws(ControlRefusal) -> ListItems {
        switch list {
        case .requests:
            .objects(name: "requests", log.objects(after: number), lastNumber: log.lastNumber)
        case .notifications:
            .objects(
                name: "notifications",
                deliveries.deliveries.filter { $0.number > number }.map(\.object),
                lastNumber: deliveries.lastNumber
            )
        case .mail(let person):
            .mail(try mailList(of: person, after: number), lastNumber: mail.lastNumber)
        }
    }

    /// The highest numbers that were given; they change when a list has something new.
    var listNumbers: [Int] { [log.lastNumber, deliveries.lastNumber, mail.lastNumber] }

    /// Goes on with the numbers of another state, so that an item of this one is behind all of its.
    mutating func continueNumbers(of other: EmulatorState) {
        log.lastNumber = max(log.lastNumber, other.log.lastNumber)
        deliveries.lastNumber = max(deliveries.lastNumber, other.deliveries.lastNumber)
        mail.lastNumber = max(mail.lastNumber, other.mail.lastNumber)
    }
}
