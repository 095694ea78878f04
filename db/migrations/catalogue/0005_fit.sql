-- Facts that rules of fit and noise read: drive bays and sockets, room under a cooler, sound level.

ALTER TABLE chassis ADD COLUMN bays_35 INTEGER CHECK (bays_35 >= 0);
ALTER TABLE chassis ADD COLUMN bays_25 INTEGER CHECK (bays_25 >= 0);
ALTER TABLE motherboard ADD COLUMN m2_slots INTEGER CHECK (m2_slots >= 0);
ALTER TABLE motherboard ADD COLUMN sata_ports INTEGER CHECK (sata_ports >= 0);
ALTER TABLE cooler ADD COLUMN memory_clearance_mm REAL CHECK (memory_clearance_mm > 0);
ALTER TABLE cooler ADD COLUMN noise_dba REAL CHECK (noise_dba > 0);
ALTER TABLE accelerator ADD COLUMN weight_kg REAL CHECK (weight_kg > 0);
ALTER TABLE accelerator ADD COLUMN noise_dba REAL CHECK (noise_dba > 0);
ALTER TABLE server ADD COLUMN noise_dba REAL CHECK (noise_dba > 0);
