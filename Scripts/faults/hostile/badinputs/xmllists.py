"""Bad XML property lists, and JSON and old-style lists under their name."""

from __future__ import annotations

from .item import BAD, TAKEN, Item

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" '
    '"http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n')
BARE = '<?xml version="1.0"?>'


def plist(inside: str) -> str:
    """A whole property list."""
    return HEAD + '<plist version="1.0">' + inside + "</plist>\n"


def keyed(value: str) -> str:
    """A property list with one value under `k`."""
    return plist(f"<dict><key>k</key>{value}</dict>")


def items() -> list[Item]:
    """All of them."""
    groups = [*_entities(), *_structure(), *_encodings(), *_values(), *_sizes()]
    return [Item.of(f"plist-xml/{name}", content, codes, why) for name, content, codes, why in groups]


def _entities() -> list[tuple[str, str | bytes, frozenset[int], str]]:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    why = "entity declarations are not allowed"

    def outside(target: str) -> str:
        return (
            f'{BARE}<!DOCTYPE plist [<!ENTITY x SYSTEM "{target}">]><plist version="1.0">'
            "<dict><key>k</key><string>&x;</string></dict></plist>")

    return [
        ("billion-laughs",
         f'{BARE}<!DOCTYPE plist [<!ENTITY l0 "lol">{laughs}]><plist version="1.0"><string>&l9;</string></plist>',
         BAD, why),
        ("quadratic-blowup",
         f'{BARE}<!DOCTYPE plist [<!ENTITY a "{"A" * 50000}">]><plist version="1.0"><string>{"&a;" * 5000}'
         "</string></plist>", BAD, why),
        ("external-entity-file", outside("file:///etc/passwd"), BAD, why),
        ("external-entity-http", outside("http://127.0.0.1:9/x"), BAD, why),
        ("parameter-entity",
         f'{BARE}<!DOCTYPE plist [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><plist version="1.0"><dict/></plist>',
         BAD, why),
        ("external-dtd",
         f'{BARE}<!DOCTYPE plist SYSTEM "file:///etc/hostname"><plist version="1.0"><dict/></plist>', TAKEN,
         "the DTD is never fetched"),
        ("undeclared-entity", keyed("<string>&evil;</string>"), BAD, "unknown entity"),
        ("entity-without-end", keyed("<string>&amp</string>"), BAD, "entity without ;"),
        ("xinclude", plist('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd"/>'), BAD, "tag"),
        ("processing-instruction", plist('<?php echo 1 ?><dict/>'), TAKEN | BAD, "skipped or refused"),
    ]


def _structure() -> list[tuple[str, str | bytes, frozenset[int], str]]:
    return [
        ("good", plist("<dict><key>k</key><string>v</string></dict>"), TAKEN, "accepted"),
        ("nested-100000", plist("<array>" * 100000 + "</array>" * 100000), BAD, "nested too deep"),
        ("nested-100000-unclosed", HEAD + "<plist><array>" + "<array>" * 100000, BAD, "truncated"),
        ("truncated", keyed("<string>v</string>")[:-25], BAD, "truncated"),
        ("mismatched-tags", plist("<dict><key>k</string></key></dict>"), BAD, "mismatched tag"),
        ("key-without-value", plist("<dict><key>k</key></dict>"), BAD, "key without a value"),
        ("value-without-key", plist("<dict><string>v</string></dict>"), BAD, "value without a key"),
        ("two-keys-in-a-row", plist("<dict><key>k</key><key>s</key><string>v</string></dict>"), BAD, "no value"),
        ("duplicate-keys",
         plist("<dict><key>k</key><string>1</string><key>k</key><string>2</string></dict>"), BAD, "duplicate key"),
        ("two-roots", HEAD + "<plist><dict/></plist><plist><dict/></plist>", BAD, "text after the end"),
        ("two-values", plist("<dict/><dict/>"), BAD, "two values"),
        ("no-value", plist(""), BAD, "no value"),
        ("json-under-this-name", '{"k": "v"}', BAD | TAKEN, "JSON by its content, or refused"),
        ("old-style", "{ k = v; list = (a, b); }", BAD, "old-style property lists are not supported"),
        ("top-is-a-string", plist("<string>v</string>"), BAD, "top level is a string"),
        ("html", "<!DOCTYPE html><html><body>404 Not Found</body></html>", BAD, "no property list"),
        ("unknown-tag-null", keyed("<null/>"), BAD, "unknown tag"),
        ("tag-within-string", keyed("<string>a<b>c</b></string>"), BAD, "tag inside text"),
        ("attribute-bomb",
         HEAD + "<plist " + " ".join(f'a{n}="x"' for n in range(20000)) + "><dict/></plist>", BAD | TAKEN,
         "attributes say nothing"),
        ("cdata-without-end", keyed("<string><![CDATA[abc</string>"), BAD, "truncated"),
        ("comment-without-end", plist("<!-- abc <dict/>"), BAD, "truncated"),
    ]


def _encodings() -> list[tuple[str, str | bytes, frozenset[int], str]]:
    def broken(raw: bytes) -> bytes:
        return keyed("<string>caf\ue000</string>").encode().replace("\ue000".encode(), raw)

    value = keyed("<string>v</string>")
    return [
        ("invalid-utf8", broken(b"\xe9\xff"), BAD, "not valid UTF-8"),
        ("overlong-utf8", broken(b"\xc0\xaf"), BAD, "not valid UTF-8"),
        ("surrogate-in-utf8", broken(b"\xed\xa0\x80"), BAD, "not valid UTF-8"),
        ("utf8-bom", b"\xef\xbb\xbf" + value.encode(), TAKEN, "accepted"),
        ("utf16-bom", value.replace("UTF-8", "UTF-16").encode("utf-16"), BAD, "encoding is not supported"),
        ("utf32", value.encode("utf-32"), BAD, "encoding is not supported"),
        ("latin1", keyed("<string>\u00e9</string>").replace("UTF-8", "ISO-8859-1").encode("latin-1"), BAD, "encoding"),
        ("utf7", keyed("<string>+ADw-</string>").replace("UTF-8", "UTF-7"), BAD, "encoding is not supported"),
        ("nul-in-the-middle", value.encode().replace(b"v<", b"\0<"), BAD, "control character"),
        ("control-character", keyed("<string>a\x01b</string>"), BAD, "control character"),
        ("character-reference-nul", keyed("<string>a&#0;b</string>"), BAD, "character reference"),
        ("character-reference-surrogate", keyed("<string>&#xD800;</string>"), BAD, "character reference"),
        ("character-reference-huge", keyed("<string>&#99999999999999999999;</string>"), BAD, "character reference"),
        ("bidi-override-in-key", plist("<dict><key>\u202etxt.exe</key><string>v</string></dict>"), TAKEN, "escaped"),
    ]


def _values() -> list[tuple[str, str | bytes, frozenset[int], str]]:
    def at(key: str, value: str) -> str:
        return plist(f"<dict><key>{key}</key>{value}</dict>")

    return [
        ("integer-overflow", at("i", "<integer>99999999999999999999</integer>"), TAKEN, "outcome unsupported"),
        ("integer-uint64-most", at("i", "<integer>18446744073709551615</integer>"), TAKEN, "outcome unsupported"),
        ("integer-of-a-million-digits", at("i", f"<integer>{'9' * 1_000_000}</integer>"), TAKEN | BAD, "linear time"),
        ("integer-empty", keyed("<integer></integer>"), BAD, "not an integer"),
        ("integer-hex", keyed("<integer>0x10</integer>"), TAKEN, "16, as CoreFoundation reads it"),
        ("integer-junk", keyed("<integer>12abc</integer>"), BAD, "not an integer"),
        ("real-nan", keyed("<real>nan</real>"), TAKEN, "outcome unsupported"),
        ("real-1e400", keyed("<real>1e400</real>"), TAKEN, "outcome unsupported"),
        ("real-comma", keyed("<real>1,5</real>"), BAD, "not a number"),
        ("date-30-february", keyed("<date>2023-02-30T25:61:61Z</date>"), BAD, "not a date"),
        ("date-year-99999", keyed("<date>99999-01-01T00:00:00Z</date>"), TAKEN | BAD, "date out of range"),
        ("date-year-0", keyed("<date>0000-00-00T00:00:00Z</date>"), BAD, "not a date"),
        ("data-bad-base64", keyed("<data>!!!!</data>"), BAD, "data is not base64"),
        ("data-base64-cut", keyed("<data>QUJD\nRA=</data>"), BAD | TAKEN, "padding"),
        ("cf-uid", plist("<dict><key>archived</key><dict><key>CF$UID</key><integer>5</integer></dict></dict>"),
         TAKEN, "a dictionary like any other: outcome unsupported"),
        ("bool-for-integer", at("sortOrder", "<true/>"), TAKEN, "coerced or outcome conflict"),
        ("string-for-date", at("lastOpened", "<string>yesterday</string>"), TAKEN, "outcome conflict"),
        ("dictionary-for-string", at("k", "<dict/>"), TAKEN, "outcome unsupported"),
    ]


def _sizes() -> list[tuple[str, str | bytes, frozenset[int], str]]:
    keys = "".join(f"<key>k{number}</key><true/>" for number in range(40000))
    return [
        ("40000-keys", plist(f"<dict>{keys}</dict>"), TAKEN, "in linear time"),
        ("comment-of-200000", plist("<!--" + "x" * 200000 + "--><dict/>"), TAKEN, "accepted"),
        ("comments-200000", plist("<!---->" * 200000 + "<dict/>"), TAKEN, "in linear time"),
        ("key-of-1-mib", plist(f"<dict><key>{'k' * (1 << 20)}</key><true/></dict>"), TAKEN | BAD, "shortened"),
        ("spaces-4-mib", plist(" " * (1 << 22) + "<dict/>"), TAKEN, "in linear time"),
    ]
