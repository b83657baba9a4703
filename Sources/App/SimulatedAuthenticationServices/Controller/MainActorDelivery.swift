/// Passes an object of the framework to the main actor, where its delegate or handler is called.
///
/// Apple's classes are not `Sendable` either, and also call back on the main thread. The compiler
/// can't check this one transfer. It keeps the object alive until the call.
struct MainActorDelivery<Content: AnyObject>: @unchecked Sendable {
    let content: Content

    init(_ content: Content) { self.content = content }
}
