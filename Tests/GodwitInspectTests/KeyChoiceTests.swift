import GodwitModel
import GodwitInspect
import Testing

struct KeyChoiceTests {
    private typealias Candidate = KeyChoice.Candidate

    private func choose(_ candidates: [KeyChoice.Candidate], of entity: String = "Note", count: Int64 = 3) -> KeyChoice?
    {
        KeyChoice.decide(candidates, entity: NameParts(entity), count: count)
    }

    @Test("a primary key of the app comes first, and one that SQLite numbers comes after a proven id")
    func primaryKeys() {
        let counted = Candidate(
            name: "pk", kind: .integer, missing: 0, distinct: nil, isPrimaryKey: true, isRowNumber: true)
        let own = Candidate(name: "code", kind: .text, missing: 0, distinct: nil, isPrimaryKey: true)
        let uuid = Candidate(name: "uuid", kind: .uuid, missing: 0, distinct: 3)
        #expect(choose([counted, uuid, own]) == KeyChoice(column: "code", evidence: .primaryKey))
        #expect(choose([counted, uuid]) == KeyChoice(column: "uuid", evidence: .values))
        #expect(choose([counted]) == KeyChoice(column: "pk", evidence: .primaryKey))
    }

    @Test("repeated or missing values prove no key, and a name is the last resort")
    func unproven() {
        #expect(choose([Candidate(name: "id", kind: .text, missing: 0, distinct: 2)]) == nil)
        #expect(choose([Candidate(name: "id", kind: .text, missing: 1, distinct: 2)])?.evidence == .name)
        #expect(choose([Candidate(name: "id", kind: .text, missing: 0, distinct: nil)]) == nil)
        #expect(choose([Candidate(name: "title", kind: .text, missing: 0, distinct: 2)]) == nil)
        #expect(choose([Candidate(name: "bookId", kind: .uuid, missing: 0, distinct: 2)], of: "BookAuthor") == nil)
        #expect(choose([]) == nil)
    }

    @Test("a natural key needs more than one record to be proven")
    func natural() {
        let url = Candidate(name: "url", kind: .text, missing: 0, distinct: 3)
        #expect(choose([url]) == KeyChoice(column: "url", evidence: .values))
        #expect(choose([Candidate(name: "url", kind: .text, missing: 0, distinct: 1)], count: 1) == nil)
        let unique = Candidate(name: "url", kind: .none, missing: 0, distinct: 0, hasUniqueIndex: true)
        #expect(choose([unique], count: 0) == KeyChoice(column: "url", evidence: .uniqueIndex))
    }

    @Test("a link that was saved twice can still be the key, and a title cannot")
    func nearly() {
        let url = Candidate(name: "url", kind: .text, missing: 0, distinct: 99)
        #expect(choose([url], count: 100) == KeyChoice(column: "url", evidence: .name))
        #expect(choose([Candidate(name: "url", kind: .text, missing: 0, distinct: 98)], count: 100) == nil)
        #expect(choose([Candidate(name: "title", kind: .text, missing: 0, distinct: 99)], count: 100) == nil)
        let reference = KeyChoice.Candidate(name: "url_id", kind: .integer, missing: 0, distinct: 99)
        #expect(KeyChoice.decide([reference], entity: NameParts("keyword_search_terms"), count: 99) == nil)
        let decided = KeyChoice.decide([url], entity: NameParts("Article"), count: 99, allowsNatural: false)
        #expect(decided == nil)
    }

    @Test("one record in a hundred may repeat the value of a key, and no more", arguments: [(990, true), (989, false)])
    func repeats(distinct: Int64, isKey: Bool) {
        let id = Candidate(name: "id", kind: .text, missing: 0, distinct: distinct)
        #expect(choose([id], count: 1000) == (isKey ? KeyChoice(column: "id", evidence: .name) : nil))
        let refused = KeyChoice.refused([id], entity: NameParts("Note"), count: 1000)
        #expect(refused?.repeated(of: 1000) == (isKey ? nil : 11))
    }

    @Test("a part of a key of several columns is not a key, unless it has its own constraint")
    func parts() {
        var id = Candidate(name: "id", kind: .uuid, missing: 0, distinct: 3, isPartOfMore: true)
        #expect(choose([id]) == nil && choose([id], count: 0) == nil)
        #expect(KeyChoice.refused([id], entity: NameParts("Note"), count: 30) == nil)
        id.hasUniqueIndex = true
        #expect(choose([id]) == KeyChoice(column: "id", evidence: .uniqueIndex))
        (id.hasUniqueIndex, id.isPrimaryKey) = (false, true)
        #expect(choose([id]) == KeyChoice(column: "id", evidence: .primaryKey))
        let url = Candidate(name: "url", kind: .text, missing: 0, distinct: 3, isPartOfMore: true)
        #expect(choose([url]) == nil)
    }
}
