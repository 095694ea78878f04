-- Host parts, enclosures and peripherals.

CREATE TABLE platform (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'platform' CHECK (item_kind = 'platform'),
    socket TEXT NOT NULL,
    chipset TEXT NOT NULL DEFAULT '',
    cpu_family TEXT NOT NULL DEFAULT '',
    cpu_pcie_lanes INTEGER CHECK (cpu_pcie_lanes > 0),
    cpu_pcie_lanes_text TEXT NOT NULL DEFAULT '',
    cpu_pcie_generation INTEGER CHECK (cpu_pcie_generation > 0),
    chipset_lanes_text TEXT NOT NULL DEFAULT '',
    bifurcation_text TEXT NOT NULL DEFAULT '',
    memory_channels INTEGER CHECK (memory_channels > 0),
    memory_type TEXT NOT NULL DEFAULT '',
    registered INTEGER CHECK (registered IN (0, 1)),
    ecc TEXT NOT NULL DEFAULT '',
    max_memory_bytes INTEGER CHECK (max_memory_bytes > 0),
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE cpu (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'cpu' CHECK (item_kind = 'cpu'),
    socket TEXT NOT NULL,
    platforms TEXT NOT NULL DEFAULT '',
    cores INTEGER CHECK (cores > 0),
    pcie_lanes INTEGER CHECK (pcie_lanes > 0),
    usable_pcie_lanes INTEGER CHECK (usable_pcie_lanes > 0),
    pcie_generation INTEGER CHECK (pcie_generation > 0),
    tdp_w REAL CHECK (tdp_w > 0),
    max_turbo_w REAL CHECK (max_turbo_w > 0),
    memory_types TEXT NOT NULL DEFAULT '',
    registered INTEGER CHECK (registered IN (0, 1)),
    ecc TEXT NOT NULL DEFAULT '',
    memory_channels INTEGER CHECK (memory_channels > 0),
    memory_mts INTEGER CHECK (memory_mts > 0),
    max_sockets INTEGER CHECK (max_sockets > 0),
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE motherboard (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'motherboard' CHECK (item_kind = 'motherboard'),
    socket TEXT NOT NULL,
    cpu_sockets INTEGER NOT NULL DEFAULT 1 CHECK (cpu_sockets > 0),
    platform TEXT,
    chipset TEXT NOT NULL DEFAULT '',
    memory_channels INTEGER CHECK (memory_channels > 0),
    dimm_slots INTEGER CHECK (dimm_slots > 0),
    memory_type TEXT NOT NULL DEFAULT '',
    registered INTEGER CHECK (registered IN (0, 1)),
    ecc TEXT NOT NULL DEFAULT '',
    max_memory_bytes INTEGER CHECK (max_memory_bytes > 0),
    form_factor TEXT NOT NULL DEFAULT '',
    positions_known INTEGER NOT NULL DEFAULT 1 CHECK (positions_known IN (0, 1)),
    slots_text TEXT NOT NULL DEFAULT '',
    conflicts TEXT NOT NULL DEFAULT '',
    max_dual_width_cards INTEGER CHECK (max_dual_width_cards > 0),
    case_positions_needed INTEGER CHECK (case_positions_needed > 0),
    eps_8 INTEGER CHECK (eps_8 >= 0),
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE motherboard_slot (
    motherboard_id TEXT NOT NULL REFERENCES motherboard (id),
    position INTEGER NOT NULL CHECK (position > 0),
    physical_lanes INTEGER NOT NULL CHECK (physical_lanes IN (1, 4, 8, 16)),
    electrical_lanes INTEGER CHECK (electrical_lanes BETWEEN 0 AND 16),
    generation INTEGER CHECK (generation BETWEEN 1 AND 7),
    source TEXT NOT NULL DEFAULT 'unknown' CHECK (source IN ('cpu', 'chipset', 'switch', 'unknown')),
    shared_lanes INTEGER CHECK (shared_lanes BETWEEN 0 AND 16),
    shares_with TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (motherboard_id, position)
) STRICT;

CREATE TABLE memory (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'memory' CHECK (item_kind = 'memory'),
    memory_type TEXT NOT NULL,
    module_form TEXT NOT NULL DEFAULT '',
    registered INTEGER CHECK (registered IN (0, 1)),
    ecc INTEGER CHECK (ecc IN (0, 1)),
    modules INTEGER NOT NULL CHECK (modules > 0),
    module_bytes INTEGER NOT NULL CHECK (module_bytes > 0),
    speed_mts INTEGER CHECK (speed_mts > 0),
    height_mm REAL CHECK (height_mm > 0),
    sockets TEXT NOT NULL DEFAULT '',
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE cooler (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'cooler' CHECK (item_kind = 'cooler'),
    cooler_type TEXT NOT NULL DEFAULT '',
    sockets TEXT NOT NULL DEFAULT '',
    height_mm REAL CHECK (height_mm > 0),
    radiator_mm REAL CHECK (radiator_mm > 0),
    cooling_w REAL CHECK (cooling_w > 0),
    rack_units INTEGER CHECK (rack_units >= 0),
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE power_supply (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'power_supply' CHECK (item_kind = 'power_supply'),
    rated_w REAL NOT NULL CHECK (rated_w > 0),
    rated_w_low_line REAL CHECK (rated_w_low_line > 0),
    full_power_min_volts REAL CHECK (full_power_min_volts > 0),
    form_factor TEXT NOT NULL DEFAULT '',
    atx_version TEXT,
    efficiency TEXT NOT NULL DEFAULT '',
    length_mm REAL CHECK (length_mm > 0),
    eps_8 INTEGER CHECK (eps_8 >= 0),
    pcie_16 INTEGER CHECK (pcie_16 >= 0),
    pcie_6plus2 INTEGER CHECK (pcie_6plus2 >= 0),
    sata INTEGER CHECK (sata >= 0),
    molex INTEGER CHECK (molex >= 0),
    redundant INTEGER NOT NULL DEFAULT 0 CHECK (redundant IN (0, 1)),
    rails_note TEXT NOT NULL DEFAULT '',
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE chassis (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'chassis' CHECK (item_kind = 'chassis'),
    form_factor TEXT NOT NULL DEFAULT '',
    rack_units INTEGER CHECK (rack_units >= 0),
    max_gpu_length_mm REAL CHECK (max_gpu_length_mm > 0),
    max_gpu_height_mm REAL CHECK (max_gpu_height_mm > 0),
    expansion_slots INTEGER CHECK (expansion_slots > 0),
    vertical_slots INTEGER CHECK (vertical_slots >= 0),
    max_cooler_mm REAL CHECK (max_cooler_mm > 0),
    max_psu_mm REAL CHECK (max_psu_mm > 0),
    psu_form_factors TEXT NOT NULL DEFAULT '',
    board_form_factors TEXT NOT NULL DEFAULT '',
    width_mm REAL CHECK (width_mm > 0),
    height_mm REAL CHECK (height_mm > 0),
    depth_mm REAL CHECK (depth_mm > 0),
    weight_kg REAL CHECK (weight_kg > 0),
    airflow TEXT NOT NULL DEFAULT '',
    radiators_text TEXT NOT NULL DEFAULT '',
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE server (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'server' CHECK (item_kind = 'server'),
    form_factor TEXT NOT NULL DEFAULT '',
    rack_units INTEGER CHECK (rack_units >= 0),
    accelerator_form TEXT
        CHECK (accelerator_form IN ('pcie', 'sxm', 'oam', 'mxm', 'socket', 'superchip', 'module', 'soc', 'box')),
    accelerators TEXT NOT NULL DEFAULT '',
    accelerator_count INTEGER CHECK (accelerator_count > 0),
    capacity_text TEXT NOT NULL DEFAULT '',
    max_accelerator_w REAL CHECK (max_accelerator_w > 0),
    max_accelerator_slots REAL CHECK (max_accelerator_slots > 0),
    max_accelerator_length_mm REAL CHECK (max_accelerator_length_mm > 0),
    passive_cards INTEGER CHECK (passive_cards IN (0, 1)),
    socket TEXT,
    cpu_sockets INTEGER CHECK (cpu_sockets > 0),
    memory_type TEXT NOT NULL DEFAULT '',
    memory_channels INTEGER CHECK (memory_channels > 0),
    dimm_slots INTEGER CHECK (dimm_slots > 0),
    pcie_generation INTEGER CHECK (pcie_generation > 0),
    pcie_topology TEXT NOT NULL DEFAULT '',
    psu_count INTEGER CHECK (psu_count > 0),
    psu_w REAL CHECK (psu_w > 0),
    psu_redundant INTEGER CHECK (psu_redundant >= 0),
    psu_text TEXT NOT NULL DEFAULT '',
    efficiency TEXT NOT NULL DEFAULT '',
    max_system_power_w REAL CHECK (max_system_power_w > 0),
    base_power_w REAL CHECK (base_power_w > 0),
    max_inlet_c REAL CHECK (max_inlet_c > 0),
    airflow TEXT NOT NULL DEFAULT '',
    width_mm REAL CHECK (width_mm > 0),
    height_mm REAL CHECK (height_mm > 0),
    depth_mm REAL CHECK (depth_mm > 0),
    weight_kg REAL CHECK (weight_kg > 0),
    includes_accelerators INTEGER NOT NULL DEFAULT 0 CHECK (includes_accelerators IN (0, 1)),
    includes_cpu INTEGER NOT NULL DEFAULT 0 CHECK (includes_cpu IN (0, 1)),
    includes_memory INTEGER NOT NULL DEFAULT 0 CHECK (includes_memory IN (0, 1)),
    includes_drives INTEGER NOT NULL DEFAULT 0 CHECK (includes_drives IN (0, 1)),
    includes_nic INTEGER NOT NULL DEFAULT 0 CHECK (includes_nic IN (0, 1)),
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE drive (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'drive' CHECK (item_kind = 'drive'),
    form_factor TEXT NOT NULL DEFAULT '',
    interface TEXT NOT NULL DEFAULT '',
    nvme INTEGER CHECK (nvme IN (0, 1)),
    pcie_generation INTEGER CHECK (pcie_generation > 0),
    capacity_bytes INTEGER NOT NULL CHECK (capacity_bytes > 0),
    read_bytes_per_s REAL CHECK (read_bytes_per_s > 0),
    endurance_dwpd REAL CHECK (endurance_dwpd > 0),
    tdp_w REAL CHECK (tdp_w > 0),
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE nic (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'nic' CHECK (item_kind = 'nic'),
    form_factor TEXT NOT NULL DEFAULT '',
    interface TEXT NOT NULL DEFAULT '',
    pcie_generation INTEGER CHECK (pcie_generation > 0),
    pcie_lanes INTEGER CHECK (pcie_lanes > 0),
    ports INTEGER CHECK (ports > 0),
    port_bits_per_s REAL CHECK (port_bits_per_s > 0),
    slots INTEGER CHECK (slots > 0),
    rdma INTEGER CHECK (rdma IN (0, 1)),
    tdp_w REAL CHECK (tdp_w > 0),
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE switch (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'switch' CHECK (item_kind = 'switch'),
    interface TEXT NOT NULL DEFAULT '',
    ports INTEGER CHECK (ports > 0),
    port_bits_per_s REAL CHECK (port_bits_per_s > 0),
    rack_units INTEGER CHECK (rack_units >= 0),
    tdp_w REAL CHECK (tdp_w > 0),
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE riser (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'riser' CHECK (item_kind = 'riser'),
    riser_type TEXT NOT NULL DEFAULT '',
    interface TEXT NOT NULL DEFAULT '',
    pcie_generation INTEGER CHECK (pcie_generation > 0),
    lanes INTEGER CHECK (lanes > 0),
    length_mm REAL CHECK (length_mm > 0),
    redriver INTEGER CHECK (redriver IN (0, 1)),
    tdp_w REAL CHECK (tdp_w > 0),
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE bridge (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'bridge' CHECK (item_kind = 'bridge'),
    interface TEXT NOT NULL DEFAULT '',
    accelerators TEXT NOT NULL DEFAULT '',
    slots_span INTEGER CHECK (slots_span > 0),
    bridges_needed INTEGER NOT NULL DEFAULT 1 CHECK (bridges_needed > 0),
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE ups (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'ups' CHECK (item_kind = 'ups'),
    va REAL CHECK (va > 0),
    watts REAL CHECK (watts > 0),
    input_text TEXT NOT NULL DEFAULT '',
    rack_units INTEGER CHECK (rack_units >= 0),
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE pdu (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'pdu' CHECK (item_kind = 'pdu'),
    watts REAL CHECK (watts > 0),
    outlets_text TEXT NOT NULL DEFAULT '',
    rack_units INTEGER CHECK (rack_units >= 0),
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE rack (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'rack' CHECK (item_kind = 'rack'),
    rack_units INTEGER CHECK (rack_units >= 0),
    depth_mm REAL CHECK (depth_mm > 0),
    max_load_kg REAL CHECK (max_load_kg > 0),
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;
