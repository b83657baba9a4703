/// Takes an object of the framework to the main actor, where its delegate or handler is called.
///
/// Apple's classes are not `Sendable` either, and call back on the main thread all the same: it is
/// the one crossing that the compiler can't check. The object is held until the call is made.
struct MainActorDelivery<Content: AnyObject>: @unchecked Sendable {
    let content: Content

    init(_ content: Content) { self.content = content }
}
