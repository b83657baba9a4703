import AppleIdentity
import Foundation

/// The `user` field that a browser posts.
struct UserTarget: FuzzTarget {
    func seeds() -> [Data] {
        [
            #"{"name":{"firstName":"Maya","lastName":"Lund"},"email":"maya@example.com"}"#,
            #"{"email":"maya@example.com"}"#,
            #"{"name":{"firstName":"","lastName":null}}"#,
            #"{"name":{"firstName":"\ud83d\ude00 <b>","lastName":"O'Neil\u0000"},"email":null,"x":[]}"#,
            #"{"name":null}"#, "{}", "[]", #"{"name":[]}"#,
        ]
        .map { Data($0.utf8) }
    }

    func test(_ input: Data) {
        guard let user = try? AuthorizationUser(parsing: String(decoding: input, as: UTF8.self))
        else {
            return
        }
        guard let text = try? JSONEncoder().encode(user) else {
            return promise(false, "it can't be written")
        }
        let again = try? AuthorizationUser(parsing: String(decoding: text, as: UTF8.self))
        promise(again == user, "it is written and read as another user")
        promise(user.name?.isEmpty != true, "a name without content")
        compare(user, with: input)
    }

    private func compare(_ user: AuthorizationUser, with input: Data) {
        let text = Data(String(decoding: input, as: UTF8.self).utf8)
        guard let object = FoundationJSON.parse(text) as? [String: Any] else {
            return promise(false, "Foundation finds no object")
        }
        let name = object["name"] as? [String: Any]
        let given = name?["firstName"] as? String ?? ""
        let family = name?["lastName"] as? String ?? ""
        promise(user.name?.givenName ?? "" == given, "another given name")
        promise(user.name?.familyName ?? "" == family, "another family name")
        promise(user.email == object["email"] as? String, "another address")
    }
}
