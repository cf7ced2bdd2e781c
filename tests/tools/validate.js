// usage: node validate.js FILE.glb...
// Runs the Khronos glTF validator; prints one JSON object a file, {file, errors, warnings, messages}. Exit code 1
// when any file has an error or a warning.
const fs = require('fs');
const validator = require('gltf-validator');

const severities = ['error', 'warning', 'info', 'hint'];

async function main(files) {
  for (const file of files) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 20 });
    const { numErrors: errors, numWarnings: warnings, messages } = report.issues;
    const said = messages.map((m) => `${severities[m.severity]} ${m.code} at ${m.pointer}: ${m.message}`);
    console.log(JSON.stringify({ file, errors, warnings, messages: said }));
    if (errors > 0 || warnings > 0) process.exitCode = 1;
  }
}

main(process.argv.slice(2));
