// Preloaded into a process that must not use the network: whatever would, fails and says so.
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

function deny(owner, name) {
  owner[name] = () => {
    process.stderr.write(`network: ${name}\n`);
    process.exit(99);
  };
}

deny(net.Socket.prototype, 'connect');
deny(net.Server.prototype, 'listen');
deny(dns, 'lookup');
deny(dns.promises, 'lookup');
deny(dgram, 'createSocket');
deny(globalThis, 'fetch');
syncBuiltinESMExports();
