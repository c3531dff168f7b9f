# SPDX-License-Identifier: Apache-2.0
"""Volume predicates."""

from tables.objects import OLD_ZONE, ZONE, case, expression, node, pod, policy

# Predicate: source, identity of the volume, in-tree plugin, CSI driver.
_IN_TREE = {
    "MaxEBSVolumeCount": (
        "awsElasticBlockStore",
        "volumeID",
        "aws-ebs",
        "ebs.csi.aws.com",
    ),
    "MaxGCEPDVolumeCount": (
        "gcePersistentDisk",
        "pdName",
        "gce-pd",
        "pd.csi.storage.gke.io",
    ),
    "MaxAzureDiskVolumeCount": (
        "azureDisk",
        "diskName",
        "azure-disk",
        "disk.csi.azure.com",
    ),
    "MaxCinderVolumeCount": ("cinder", "volumeID", "cinder", "cinder.csi.openstack.org"),
}
_BY_CSI = "in-tree volumes count as volumes of their CSI driver"


def _only(*predicates) -> dict:
    return policy(list(predicates), [])


def _claiming(*claims: str, name: str = "p", on: str | None = None) -> dict:
    volumes = [{"name": each, "persistentVolumeClaim": {"claimName": each}} for each in claims]
    return pod(name, on=on, volumes=volumes)


def _using(source: str, *sources: dict, name: str = "p", on: str | None = None) -> dict:
    return pod(
        name,
        on=on,
        volumes=[{"name": f"v{i}", source: each} for i, each in enumerate(sources)],
    )


def _claim(
    name: str,
    volume: str | None = None,
    storage_class: str | None = None,
    size: str = "1Gi",
) -> dict:
    metadata: dict = {"name": name, "namespace": "default", "uid": name}
    spec: dict = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}}
    if volume:
        metadata["annotations"] = {"pv.kubernetes.io/bind-completed": "yes"}
        spec["volumeName"] = volume
    if storage_class:
        spec["storageClassName"] = storage_class
    return {
        "metadata": metadata,
        "spec": spec,
        "status": {"phase": "Bound" if volume else "Pending"},
    }


def _volume(
    name: str,
    labels: dict | None = None,
    on: list | None = None,
    storage_class: str | None = None,
    size: str = "1Gi",
    phase: str = "Bound",
    **source,
) -> dict:
    metadata: dict = {"name": name, "uid": name}
    if labels:
        metadata["labels"] = labels
    spec: dict = {"capacity": {"storage": size}, "accessModes": ["ReadWriteOnce"], **source}
    if storage_class:
        spec["storageClassName"] = storage_class
    if on:
        terms = [{"matchExpressions": [expression("kubernetes.io/hostname", "In", *on)]}]
        spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": terms}}
    return {"metadata": metadata, "spec": spec, "status": {"phase": phase}}


def _storage_class(name: str, provisioner: str, mode: str, zones: list | None = None) -> dict:
    metadata = {"name": name, "uid": f"class-{name}"}
    made: dict = {"metadata": metadata, "provisioner": provisioner, "volumeBindingMode": mode}
    if zones:
        made["allowedTopologies"] = [{"matchLabelExpressions": [{"key": ZONE, "values": zones}]}]
    return made


def _csi_node(name: str, driver: str, count: int, migrated: str | None = None) -> dict:
    metadata: dict = {"name": name, "uid": f"csi-{name}"}
    if migrated:
        annotation = "storage.alpha.kubernetes.io/migrated-plugins"
        metadata["annotations"] = {annotation: f"kubernetes.io/{migrated}"}
    driver_of = {"name": driver, "nodeID": name, "allocatable": {"count": count}}
    return {"metadata": metadata, "spec": {"drivers": [driver_of]}}


def _disk_conflict() -> list:
    nodes = [node("a"), node("b")]

    def one(what: str, source: str, there: dict, mine: dict) -> dict:
        objects = {"nodes": nodes, "pods": [_using(source, there, name="x", on="a")]}
        return case(
            f"NoDiskConflict: {what}",
            _only("NoDiskConflict"),
            objects,
            _using(source, mine),
        )

    def rbd(**more) -> dict:
        return {"monitors": ["m1", "m2"], "pool": "rbd", "image": "i", **more}

    return [
        one("a GCE disk", "gcePersistentDisk", {"pdName": "d"}, {"pdName": "d"}),
        one(
            "a GCE disk that both read",
            "gcePersistentDisk",
            {"pdName": "d", "readOnly": True},
            {"pdName": "d", "readOnly": True},
        ),
        one(
            "an EBS volume that both read",
            "awsElasticBlockStore",
            {"volumeID": "d", "readOnly": True},
            {"volumeID": "d", "readOnly": True},
        ),
        one("another EBS volume", "awsElasticBlockStore", {"volumeID": "d"}, {"volumeID": "e"}),
        one(
            "an iSCSI target",
            "iscsi",
            {"targetPortal": "t", "iqn": "q", "lun": 0, "readOnly": True},
            {"targetPortal": "t", "iqn": "q", "lun": 0},
        ),
        one("an RBD image by another monitor", "rbd", rbd(), rbd(monitors=["m2", "m3"])),
        one("an RBD image of other monitors", "rbd", rbd(), rbd(monitors=["m3"])),
    ]


def _zones() -> list:
    nodes = [node("a", zone="1"), node("b", zone="2"), node("c", zone="3"), node("d")]
    only = _only("NoVolumeZoneConflict")

    def bound(labels: dict) -> dict:
        return {"nodes": nodes, "pvs": [_volume("v", labels=labels)], "pvcs": [_claim("c", "v")]}

    waiting = {
        "nodes": nodes,
        "pvcs": [_claim("c", storage_class="late")],
        "storageClasses": [_storage_class("late", "x", "WaitForFirstConsumer")],
    }
    old = [
        node("a", labels={OLD_ZONE: "1", ZONE: "1"}),
        node("b", labels={OLD_ZONE: "2", ZONE: "2"}),
        node("c", zone="1"),
    ]
    objects = {
        "nodes": old[:2],
        "pvs": [_volume("v", labels={OLD_ZONE: "1"})],
        "pvcs": [_claim("c", "v")],
    }
    return [
        case(
            "NoVolumeZoneConflict: the zone of the volume",
            only,
            bound({ZONE: "2"}),
            _claiming("c"),
        ),
        case(
            "NoVolumeZoneConflict: one of several zones",
            only,
            bound({ZONE: "2__3"}),
            _claiming("c"),
        ),
        case("NoVolumeZoneConflict: a volume without a zone", only, bound({}), _claiming("c")),
        case("NoVolumeZoneConflict: a claim that waits", only, waiting, _claiming("c")),
        case("NoVolumeZoneConflict: the older label", only, objects, _claiming("c")),
        case(
            "NoVolumeZoneConflict: deprecated label, nodes with the current label only",
            only,
            {**objects, "nodes": old},
            _claiming("c"),
            named="also matches the topology.kubernetes.io label",
            differs="choice",
        ),
    ]


def _csi_limits() -> list:
    driver = "d.example.com"

    def csi(handle: str) -> dict:
        return {"csi": {"driver": driver, "volumeHandle": handle}}

    objects = {
        "nodes": [node("a"), node("b"), node("c")],
        "pods": [_claiming("c1", name="x", on="a"), _claiming("c1", name="y", on="b")],
        "pvs": [_volume("v1", **csi("1")), _volume("v2", **csi("2")), _volume("v3", **csi("3"))],
        "pvcs": [
            _claim("c1", "v1"),
            _claim("c2", "v2"),
            _claim("c3", "v3"),
            _claim("c4", storage_class="late"),
        ],
        "storageClasses": [_storage_class("late", driver, "WaitForFirstConsumer")],
        "csiNodes": [_csi_node("a", driver, 1), _csi_node("b", driver, 2)],
    }
    attached = {
        **objects,
        "volumeAttachments": [
            {
                "metadata": {"name": "w", "uid": "w"},
                "spec": {
                    "attacher": driver,
                    "nodeName": "b",
                    "source": {"persistentVolumeName": "v3"},
                },
                "status": {"attached": True},
            },
        ],
    }
    only = _only("MaxCSIVolumeCountPred")
    return [
        case("MaxCSIVolumeCountPred: one more", only, objects, _claiming("c2")),
        case("MaxCSIVolumeCountPred: two more", only, objects, _claiming("c2", "c3")),
        case("MaxCSIVolumeCountPred: one that is there", only, objects, _claiming("c1")),
        case("MaxCSIVolumeCountPred: one that is not made yet", only, objects, _claiming("c4")),
        case("MaxCSIVolumeCountPred: attached, with no pod", only, attached, _claiming("c2"),
             named="attached volumes also count", differs="choice"),
    ]


def _in_tree_limits() -> list:
    made = []
    for predicate, (source, key, plugin, driver) in _IN_TREE.items():
        def volume(name: str, source=source, key=key) -> dict:
            more = {"diskURI": name} if source == "azureDisk" else {}
            return {key: name, **more}

        nodes = [
            node(name, more={f"attachable-volumes-{plugin}": count})
            for name, count in (("a", "1"), ("b", "2"))
        ]
        there = [_using(source, volume("1"), name=f"x-{name}", on=name) for name in "ab"]
        csi = [_csi_node("a", driver, 1, plugin), _csi_node("b", driver, 2, plugin)]
        objects = {"nodes": nodes, "pods": there}
        only = _only(predicate)
        made += [
            case(
                f"{predicate}: one more",
                only,
                {**objects, "csiNodes": csi},
                _using(source, volume("2")),
                named=_BY_CSI,
            ),
            case(
                f"{predicate}: two more",
                only,
                {**objects, "csiNodes": csi},
                _using(source, volume("2"), volume("3")),
                named=_BY_CSI,
            ),
            case(
                f"{predicate}: nodes without a driver",
                only,
                objects,
                _using(source, volume("2")),
                named=_BY_CSI,
                differs="choice",
            ),
        ]
    return made


def _binding() -> list:
    nodes = [node("a", zone="1"), node("b", zone="2"), node("c", zone="2")]
    local = _storage_class("local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer")
    made = _storage_class("made", "p.example.com", "WaitForFirstConsumer")
    of_zone = _storage_class("of-zone", "p.example.com", "WaitForFirstConsumer", ["2"])
    at_once = _storage_class("at-once", "p.example.com", "Immediate")
    classes = {"nodes": nodes, "storageClasses": [local, made, of_zone, at_once]}
    free = [
        _volume("v1", on=["a"], storage_class="local", size="1Gi", phase="Available"),
        _volume("v2", on=["b"], storage_class="local", size="5Gi", phase="Available"),
        _volume("v3", on=["b"], storage_class="local", size="9Gi", phase="Available"),
    ]
    bound = {**classes, "pvs": [_volume("v", on=["b"])], "pvcs": [_claim("c", "v")]}

    def waiting(*claims: dict) -> dict:
        return {**classes, "pvs": free, "pvcs": list(claims)}

    only = _only("CheckVolumeBinding")
    return [
        case("CheckVolumeBinding: where the volume is", only, bound, _claiming("c")),
        case("CheckVolumeBinding: no such claim", only, classes, _claiming("c")),
        case(
            "CheckVolumeBinding: a volume that fits",
            only,
            waiting(_claim("c", storage_class="local", size="2Gi")),
            _claiming("c"),
        ),
        case(
            "CheckVolumeBinding: two claims, two volumes",
            only,
            waiting(_claim("c", storage_class="local"), _claim("d", storage_class="local")),
            _claiming("c", "d"),
        ),
        case(
            "CheckVolumeBinding: no volume is large enough",
            only,
            waiting(_claim("c", storage_class="local", size="10Gi")),
            _claiming("c"),
        ),
        case(
            "CheckVolumeBinding: provisioned volume",
            only,
            waiting(_claim("c", storage_class="made")),
            _claiming("c"),
        ),
        case(
            "CheckVolumeBinding: volume provisioned in a zone",
            only,
            waiting(_claim("c", storage_class="of-zone")),
            _claiming("c"),
        ),
        case(
            "CheckVolumeBinding: unbound claim",
            only,
            waiting(_claim("c", storage_class="at-once")),
            _claiming("c"),
        ),
    ]


def cases() -> list:
    return [*_disk_conflict(), *_zones(), *_csi_limits(), *_in_tree_limits(), *_binding()]
