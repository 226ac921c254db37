/** A PDF of one page that submits its form to `url` by POST where it is clicked. */
export function formPdf(url: string): Buffer {
  const submit = `<< /S /SubmitForm /F << /FS /URL /F (${url}) >> /Flags 4 >>`;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R 5 0 R] /DA (/Helv 12 Tf) >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 600] /Annots [4 0 R 5 0 R] >>',
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (pdf) /Rect [10 560 200 590] /P 3 0 R /F 4 >>',
    `<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 65536 /T (send) /Rect [0 0 600 550] /P 3 0 R /F 4 /A ${submit} >>`,
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\n`;
  return Buffer.from(`${text}startxref\n${start}\n%%EOF\n`, 'latin1');
}
