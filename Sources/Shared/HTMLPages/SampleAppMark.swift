/// The icon of the sample app Juice, which the pages of both servers show.
package enum SampleAppMark {
    package static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">\
        <rect width="32" height="32" rx="9" fill="#e8590c"/>\
        <path d="M16 5.5c4.2 5 7 8.7 7 12.4a7 7 0 0 1-14 0c0-3.7 2.8-7.4 7-12.4z" fill="#fff3e6"/>\
        <path d="M12.2 18.2a3.9 3.9 0 0 0 3.4 3.9" fill="none" stroke="#f7a868" \
        stroke-width="1.8" stroke-linecap="round"/></svg>
        """
}
