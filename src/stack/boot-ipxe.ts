/**
 * The script that every iPXE client is given; Ironic's `[pxe]ipxe_boot_script`. It looks for the file that Ironic
 * wrote for one of the client's MAC addresses. A server that Ironic does not want to boot now (unknown, or
 * provisioned and by chance set to network boot) goes on to its disk at once. Ironic's own script would hold it for
 * 180 s at a prompt and then reboot it, for ever: a chained `ipxe_fallback_script` returns there.
 */
export function bootIpxe(): string {
	return `#!ipxe
set netid:int32 -1
:next
inc netid || goto only_one
isset \${net\${netid}/mac} || goto local
echo Looking for a boot configuration of \${net\${netid}/mac:hexhyp}
chain pxelinux.cfg/\${net\${netid}/mac:hexhyp} || goto next
goto local

:only_one
chain pxelinux.cfg/\${mac:hexhyp} || goto local

:local
echo Nothing to boot from the network: going on to the local disk
iseq \${platform} pcbios || exit 0
sanboot --no-describe --drive 0x80 || exit 0
`;
}
