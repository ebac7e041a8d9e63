"""Applies an OpenStack network_data.json with static addresses: what glean or cloud-init do in a full ramdisk.

usage: network_data.py NETWORK_DATA STATIC_LIST

Writes the names of the interfaces that got static addresses to STATIC_LIST, and one line for each change to
standard output. Networks of the types ipv4_dhcp, ipv6_dhcp and ipv6_slaac are left to the caller.
"""
import ipaddress
import json
import os
import subprocess
import sys


def ip(*words):
    result = subprocess.run(['ip', *words], capture_output=True, text=True)
    if result.returncode:
        print('failed: ip', *words, result.stderr.strip())


def interfaces_by_mac():
    found = {}
    for name in os.listdir('/sys/class/net'):
        with open(f'/sys/class/net/{name}/address') as file:
            found[file.read().strip().lower()] = name
    return found


def link_name(link, links, macs):
    """The interface of a link; makes VLAN interfaces. None if there is no such hardware."""
    kind = link.get('type', 'phy')
    if kind == 'vlan':
        parent = link_name(links[link['vlan_link']], links, macs)
        if parent is None:
            return None
        name = f'{parent}.{link["vlan_id"]}'[:15]
        ip('link', 'set', parent, 'up')
        ip('link', 'add', 'link', parent, 'name', name, 'type', 'vlan', 'id', str(link['vlan_id']))
        return name
    if kind == 'bond':
        print('unsupported: bond', link['id'])
        return None
    mac = link['ethernet_mac_address'].replace('-', ':').lower()
    if mac not in macs:
        print('missing:', mac)
    return macs.get(mac)


def prefixed(address, netmask):
    """192.0.2.1 with 255.255.255.0 or 24, fd00::1 with ffff:: or 64, or an address that carries its prefix."""
    if '/' in address or netmask is None:
        return address
    mask = str(netmask).lstrip('/')
    if mask.isdigit():
        return f'{address}/{mask}'
    return f'{address}/{bin(int(ipaddress.ip_address(mask))).count("1")}'


def add_route(route, gateway, name):
    network = prefixed(route.get('network', '0.0.0.0'), route.get('netmask'))
    default = ipaddress.ip_network(network, strict=False).prefixlen == 0
    ip('route', 'replace', 'default' if default else network, 'via', gateway, 'dev', name)
    print('route:', 'default' if default else network, 'via', gateway)


def main(source, static_list):
    with open(source) as file:
        data = json.load(file)
    links = {link['id']: link for link in data.get('links', [])}
    macs = interfaces_by_mac()
    servers = [s['address'] for s in data.get('services', []) if s.get('type') == 'dns']
    with open(static_list, 'w') as names:
        for network in data.get('networks', []):
            link = links.get(network.get('link'))
            if link is None or network.get('type') not in ('ipv4', 'ipv6'):
                continue
            name = link_name(link, links, macs)
            if name is None:
                continue
            # first of all: whatever fails below, this interface must stay silent, and so the one below a VLAN
            print(name, name.split('.')[0], sep='\n', file=names, flush=True)
            apply_network(network, link, name)
            servers += [s['address'] for s in network.get('services', []) if s.get('type') == 'dns']
    if servers:
        with open('/etc/resolv.conf', 'w') as file:
            file.writelines(f'nameserver {server}\n' for server in dict.fromkeys(servers))
        print('dns:', *dict.fromkeys(servers))


def apply_network(network, link, name):
    address = prefixed(network['ip_address'], network.get('netmask'))
    six = ':' in address
    ip('link', 'set', name, *(['mtu', str(link['mtu'])] if link.get('mtu') else []), 'up')
    # no duplicate address detection: the address is wanted at once, and the server owns it
    ip('addr', 'replace', address, 'dev', name, *(['nodad'] if six else []))
    print('address:', name, address)
    if network.get('gateway'):
        add_route({'network': '::/0' if six else '0.0.0.0/0'}, network['gateway'], name)
    for route in network.get('routes', []):
        add_route(route, route['gateway'], name)


main(*sys.argv[1:])
