"""The model that Core Data keeps in a store's Z_MODELCACHE: a keyed archive, deflated.

It is what gives columns their names and types back: ZSTARTEDAT is `startedAt`, a date. The archive is laid out as the
system lays it out; it is stored without being compressed, since how well something is packed depends on the library.
"""

import plistlib
from typing import Any, Dict, List, Sequence

from .coredata_entities import Attribute, Entity, Relation

_STORED_BLOCK = 0xFFFF


def model_cache(entities: Sequence[Entity]) -> bytes:
    """The content of Z_MODELCACHE for these entities."""
    return _stored(_Archive().model(entities))


def _stored(data: bytes) -> bytes:
    """Data as a stream of DEFLATE (RFC 1951) in which every block is stored."""
    blocks = []
    for start in range(0, len(data), _STORED_BLOCK):
        block = data[start : start + _STORED_BLOCK]
        length = len(block)
        is_last = start + _STORED_BLOCK >= len(data)
        blocks.append(bytes([is_last]) + length.to_bytes(2, "little") + (length ^ 0xFFFF).to_bytes(2, "little") + block)
    return b"".join(blocks)


class _Archive:
    """The objects of a keyed archive, each in the place that references to it name."""

    def __init__(self) -> None:
        self.objects: List[Any] = ["$null"]
        self._texts: Dict[str, plistlib.UID] = {}
        self._classes: Dict[str, plistlib.UID] = {}

    def model(self, entities: Sequence[Entity]) -> bytes:
        root = self._reserve()
        places = {entity.name: self._reserve() for entity in entities}
        for entity in entities:
            self.objects[places[entity.name].data] = self._entity(entity, root, places)
        self.objects[root.data] = {
            "$class": self._class("NSManagedObjectModel"),
            "NSEntities": self._dictionary({entity.name: places[entity.name] for entity in entities}),
            "NSFetchRequestTemplates": plistlib.UID(0),
            "NSVersionIdentifiers": self._list("NSSet", [self._text("")]),
        }
        archive = {
            "$archiver": "NSKeyedArchiver",
            "$objects": self.objects,
            "$top": {"root": root},
            "$version": 100000,
        }
        return plistlib.dumps(archive, fmt=plistlib.FMT_BINARY, sort_keys=True)

    def _entity(self, entity: Entity, model: plistlib.UID, places: Dict[str, plistlib.UID]) -> Dict[str, Any]:
        own = places[entity.name]
        properties = {item.name: self._add(self._attribute(item, own)) for item in entity.attributes}
        properties.update({item.name: self._add(self._relation(item, own, places)) for item in entity.relations})
        return {
            "$class": self._class("NSEntityDescription"),
            "NSClassNameForEntity": self._text(entity.name),
            "NSEntityName": self._text(entity.name),
            "NSManagedObjectModel": model,
            "NSProperties": self._dictionary(dict(sorted(properties.items()))),
            "NSRenamingIdentifier": self._text(entity.name),
            "NSSubentities": self._dictionary({}),
            "NSSuperentity": plistlib.UID(0),
            "NSUserInfo": self._dictionary({}),
            "NSVersionHashModifier": plistlib.UID(0),
        }

    def _attribute(self, attribute: Attribute, owner: plistlib.UID) -> Dict[str, Any]:
        return {
            "$class": self._class("NSAttributeDescription", "NSPropertyDescription"),
            "NSAttributeType": attribute.kind.number,
            "NSAttributeValueClassName": self._text(attribute.kind.class_name),
            "NSDefaultValue": plistlib.UID(0),
            "NSEntity": owner,
            "NSIsOptional": attribute.is_optional,
            "NSPropertyName": self._text(attribute.name),
            "NSRenamingIdentifier": self._text(attribute.name),
        }

    def _relation(
        self, relation: Relation, owner: plistlib.UID, places: Dict[str, plistlib.UID]
    ) -> Dict[str, Any]:
        return {
            "$class": self._class("NSRelationshipDescription", "NSPropertyDescription"),
            "NSDestinationEntity": places[relation.target],
            "NSEntity": owner,
            "NSIsOptional": True,
            "NSMaxCount": 0 if relation.is_to_many else 1,
            "NSMinCount": 0,
            "NSPropertyName": self._text(relation.name),
            "NSRenamingIdentifier": self._text(relation.name),
            "_NSDestinationEntityName": self._text(relation.target),
            "_NSInverseRelationshipName": self._text(relation.inverse),
        }

    def _dictionary(self, items: Dict[str, plistlib.UID]) -> plistlib.UID:
        keys = [self._text(key) for key in items]
        content = {"NS.keys": keys, "NS.objects": list(items.values())}
        return self._add({"$class": self._class("NSMutableDictionary", "NSDictionary"), **content})

    def _list(self, class_name: str, items: List[plistlib.UID]) -> plistlib.UID:
        return self._add({"$class": self._class(class_name), "NS.objects": items})

    def _text(self, text: str) -> plistlib.UID:
        if text not in self._texts:
            self._texts[text] = self._add(text)
        return self._texts[text]

    def _class(self, name: str, *parents: str) -> plistlib.UID:
        if name not in self._classes:
            self._classes[name] = self._add({"$classes": [name, *parents, "NSObject"], "$classname": name})
        return self._classes[name]

    def _reserve(self) -> plistlib.UID:
        return self._add(None)

    def _add(self, value: Any) -> plistlib.UID:
        self.objects.append(value)
        return plistlib.UID(len(self.objects) - 1)
