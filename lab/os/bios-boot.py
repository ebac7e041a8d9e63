"""Makes a GPT disk image start from a BIOS, as grub-install would, without mounting anything.

usage: bios-boot.py IMAGE FIRST_SECTOR_OF_BIOS_BOOT_PARTITION

The first sector gets GRUB's boot.img, which loads the rest (core.img) from the BIOS boot partition.
"""
import struct
import subprocess
import sys

image, first = sys.argv[1], int(sys.argv[2])
with open('/tmp/early.cfg', 'w') as file:
    file.write('search --no-floppy --label IRONSTRAP --set=root\nset prefix=($root)/boot/grub\n')
subprocess.run(['grub-mkimage', '-O', 'i386-pc', '-o', '/tmp/core.img', '-p', '/boot/grub', '-c', '/tmp/early.cfg',
                'biosdisk', 'part_gpt', 'fat', 'normal', 'linux', 'search', 'search_label', 'serial', 'terminal',
                'configfile', 'test', 'echo'], check=True)
with open('/tmp/core.img', 'rb') as file:
    core = bytearray(file.read())
with open('/usr/lib/grub/i386-pc/boot.img', 'rb') as file:
    boot = bytearray(file.read())

# last entry of diskboot.img's block list: where the rest of core.img lies, how long it is, where it is loaded to
struct.pack_into('<QHH', core, 0x1f4, first + 1, (len(core) + 511) // 512 - 1, 0x820)
struct.pack_into('<Q', boot, 0x5c, first)  # kernel_sector
boot[0x66:0x68] = b'\x90\x90'  # boot_drive_check: trust the drive number of the BIOS

with open(image, 'r+b') as file:
    table = file.read(512)
    file.seek(0)
    file.write(bytes(boot[:440]) + table[440:])
    file.seek(first * 512)
    file.write(core)
